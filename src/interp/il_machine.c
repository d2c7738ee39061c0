/* il_machine.c - runs the judge's code: one switch over operations, frames on a stack of its own. */
#include "interp/il_code.h"
#include "interp/il_exceptions.h"

enum {
    MAX_ACTIVATIONS = 256,    /* of the methods of one cycle at a time: docs/semantics.md, Calls */
    FIRST_SLOTS = 1 << 12,
    MAX_SLOTS = 1 << 23,
    TURN = 4096               /* instructions between two looks at *stop */
};

/* A call at work. */
typedef struct run {
    ilc__il_machine           *machine;
    const ilc__interp_options *options;
    ilc__il_code              *code;
    ilc__il_slot              *fp;
    uint64_t                   fuel; /* left beyond this turn; UINT64_MAX: no limit */
    uint32_t                   pc;   /* of a trap or a call                         */
    ilc__il_trap               trap;
    const ilc__il_exception   *thrown;
} run;

ilc__il_machine *ilc__il_machine_create(ilc__context *ctx, ilc__arena *arena)
{
    ilc__il_machine *machine = ILC__NEW(arena, ilc__il_machine);
    machine->ctx = ctx;
    machine->arena = arena;
    for (int i = 0; i < 4; i++) machine->codes[i / 2][i % 2].arena = arena;
    machine->layouts = ilc__layouts_create(ctx, arena);
    machine->statics = ilc__statics_create(ctx, arena);
    ilc__statics_run_by(machine->statics, ilc__il_initialise);
    machine->slot_count = FIRST_SLOTS;
    machine->slots = ILC__NEW_ARRAY(arena, ilc__il_slot, FIRST_SLOTS);
    return machine;
}

/* --- frames ----------------------------------------------------------------------------------------------- */

static bool reserve(ilc__il_machine *machine, uint64_t wanted)
{
    if (wanted <= machine->slot_count) return true;
    if (wanted > MAX_SLOTS) return false;
    uint32_t count = machine->slot_count;
    while (count < wanted) count *= 2;
    ilc__il_slot *slots = ILC__NEW_ARRAY(machine->arena, ilc__il_slot, count);
    memcpy(slots, machine->slots, machine->slot_count * sizeof *slots);
    machine->slots = slots;
    machine->slot_count = count;
    return true;
}

/* .locals init (II.15.4.1.3); without it the judge gives zero as well, always. */
static void zero_locals(const ilc__il_code *code, ilc__il_slot *fp)
{
    uint32_t count = code->stack_first - code->param_count;
    if (count) memset(fp + code->param_count, 0, count * sizeof *fp);
}

/* Locals start at zero; so does what of them lies in memory. */
static void begin(const ilc__il_code *code, ilc__il_slot *fp, uint8_t *memory)
{
    zero_locals(code, fp);
    if (!memory) return;
    memset(memory, 0, code->zeroed_size);
    fp[code->memory_slot].i8 = (int64_t)(uintptr_t)memory;
}

static bool take_memory(ilc__il_machine *machine, const ilc__il_code *code, uint8_t **memory)
{
    *memory = code->memory_size ? ilc__il_memory_take(machine, code->memory_size) : NULL;
    return *memory || code->memory_size == 0;
}

static bool activate(ilc__il_machine *machine, ilc__il_code *of)
{
    ilc__il_code *code = of->cycle;
    if (!code) return true;
    if (code->epoch != machine->epoch) {
        code->epoch = machine->epoch;
        code->active = 0;
    }
    return code->active < MAX_ACTIVATIONS && ++code->active;
}

/* Goes into a callee whose arguments lie from slot d of the frame on. */
static bool enter(run *r, ilc__il_code *callee, uint32_t d)
{
    ilc__il_machine *machine = r->machine;
    uint32_t         base = (uint32_t)(r->fp - machine->slots), callee_base = base + d;
    uint8_t         *memory;
    if (!reserve(machine, (uint64_t)callee_base + callee->frame_size) || !activate(machine, callee) ||
        !take_memory(machine, callee, &memory)) {
        r->fp = machine->slots + base;
        r->trap = ILC__IL_TRAP_STACK;
        return false;
    }
    ILC__PUSH(machine->arena, &machine->frames, (ilc__il_frame){r->code, r->pc, base});
    r->code = callee;
    r->fp = machine->slots + callee_base;
    begin(callee, r->fp, memory);
    return true;
}

/* Back to the caller; false when the outermost method returned. */
static bool leave(run *r)
{
    ilc__il_machine *machine = r->machine;
    if (r->code->cycle) r->code->cycle->active--;
    if (r->code->memory_size) ilc__il_memory_give_back(machine); /* a structure returned is there until copied */
    if (machine->frames.count == 0) return false;
    ilc__il_frame frame = machine->frames.items[--machine->frames.count];
    r->code = frame.code;
    r->pc = frame.pc + 1;
    r->fp = machine->slots + frame.base;
    return true;
}

static void again(ilc__il_code *code, ilc__il_slot *fp, uint32_t d)
{
    uint8_t *memory = code->memory_size ? ilc__il_address_in(&fp[code->memory_slot]) : NULL;
    memmove(fp, fp + d, code->param_count * sizeof *fp);
    begin(code, fp, memory);
}

static const ilc__il_exception *new_exception(ilc__il_machine *machine, const ilc__il_constructor *constructor,
                                              const ilc__il_slot *args)
{
    const char *strings[ILC__IL_EXCEPTION_ARGS] = {0};
    uint32_t    count = 0;
    for (uint32_t i = 0; constructor->kinds[i]; i++)
        if (constructor->kinds[i] == 's' || constructor->kinds[i] == 'o') strings[count++] = (const char *)(uintptr_t)args[i].i8;
    ilc__il_exception *made = ILC__NEW(machine->arena, ilc__il_exception);
    made->type = constructor->type;
    made->message = ilc__il_exception_message(machine->arena, made->type, constructor->kinds, strings);
    return made;
}

/* --- the loop --------------------------------------------------------------------------------------------- */

/* Between turns: looks at *stop, takes fuel, traces. Gives the instructions of the next turn, 0 when the call
 * must end. */
static uint32_t next_turn(run *r, uint32_t pc)
{
    const ilc__interp_options *options = r->options;
    bool                       traced = options && options->trace;
    if (options && options->stop && *options->stop) return 0;
    uint32_t turn = traced ? 1 : TURN;
    if (traced) ilc__il_trace(r->machine, r->code, pc, r->fp, options);
    if (r->fuel == UINT64_MAX) return turn;
    if (r->fuel < turn) turn = (uint32_t)r->fuel;
    r->fuel -= turn;
    return turn;
}

/* Runs until the outermost method returns (ILC_OK, trap none), an exception leaves it (ILC_OK), or fuel ends. */
static ilc_status run_code(run *r)
{
    const ilc__il_op *ops = r->code->ops.items, *op = ops;
    ilc__il_slot     *fp = r->fp;
    ilc__il_trap      t;
    uint32_t          turn = 0;

#define HERE ((uint32_t)(op - ops))
#define RAISE_IF_TRAPPED                                                                                     \
    if (t != ILC__IL_TRAP_NONE) goto trapped;
#define COMPUTE(kind, result, expr)                                                                          \
    ILC__CTYPE_##kind   a = fp[op->d].ILC__SLOT_##kind;                                                      \
    ILC__CTYPE_##result value = (ILC__CTYPE_##result)(expr);                                                 \
    RAISE_IF_TRAPPED                                                                                         \
    fp[op->d].ILC__SLOT_##result = value;                                                                    \
    break;
#define UNARY(id, opcode, kind, result, expr)                                                                \
    case ILC__ROW_##id: {                                                                                    \
        t = ILC__IL_TRAP_NONE;                                                                               \
        COMPUTE(kind, result, expr)                                                                          \
    }
#define FUNC1(id, kind, result, expr) UNARY(id, , kind, result, expr)
#define BINARY(id, opcode, left, right, result, expr)                                                        \
    case ILC__ROW_##id: {                                                                                    \
        ILC__CTYPE_##right b = fp[op->d + 1].ILC__SLOT_##right;                                              \
        t = ILC__IL_TRAP_NONE;                                                                               \
        COMPUTE(left, result, expr)                                                                          \
    }
#define FUNC2(id, kind, result, expr) BINARY(id, , kind, kind, result, expr)
#define BRANCH(id, opcode, kind, expr)                                                                       \
    case ILC__ROW_##id: {                                                                                    \
        ILC__CTYPE_##kind a = fp[op->d].ILC__SLOT_##kind, b = fp[op->d + 1].ILC__SLOT_##kind;                \
        if (expr) goto jump;                                                                                 \
        break;                                                                                               \
    }
#define BRANCH1(id, opcode, kind, expr)                                                                      \
    case ILC__ROW_##id: {                                                                                    \
        ILC__CTYPE_##kind a = fp[op->d].ILC__SLOT_##kind;                                                    \
        if (expr) goto jump;                                                                                 \
        break;                                                                                               \
    }
#define LOAD(id, ctype, kind, index)                                                                         \
    {                                                                                                        \
        const ilc_array *array = ilc__il_array_at(&fp[op->d]);                                                       \
        int64_t          at = fp[op->d + 1].index;                                                           \
        t = ilc__il_check_index(array, at);                                                                          \
        RAISE_IF_TRAPPED                                                                                     \
        fp[op->d].ILC__SLOT_##kind = ((const ctype *)array->data)[at];                                       \
        break;                                                                                               \
    }
#define STORE(id, ctype, kind, index)                                                                        \
    {                                                                                                        \
        const ilc_array *array = ilc__il_array_at(&fp[op->d]);                                                       \
        int64_t          at = fp[op->d + 1].index;                                                           \
        t = ilc__il_check_index(array, at);                                                                          \
        RAISE_IF_TRAPPED                                                                                     \
        ((ctype *)array->data)[at] = (ctype)fp[op->d + 2].ILC__SLOT_##kind;                                  \
        break;                                                                                               \
    }
#define X(id, ctype, kind)                                                                                   \
    case ILC__DO_LOAD_##id: LOAD(id, ctype, kind, i4)                                                        \
    case ILC__DO_LOAD_WIDE_##id: LOAD(id, ctype, kind, i8)                                                   \
    case ILC__DO_STORE_##id: STORE(id, ctype, kind, i4)                                                      \
    case ILC__DO_STORE_WIDE_##id: STORE(id, ctype, kind, i8)

    for (;; op++) {
    resume:
        if (turn < op->first) {
            r->fp = fp;
            turn = next_turn(r, HERE);
            if (turn == 0) return ILC_LIMIT;
        }
        turn -= op->first;
        switch (op->code) {
#include "interp/il_arith.def"
            ILC__ELEMENTS(X)
        case ILC__DO_NOP: break;
        case ILC__DO_MOVE: fp[op->d] = fp[op->u.from]; break;
        case ILC__DO_CONST: memcpy(&fp[op->d], &op->u.bits, sizeof *fp); break;
        case ILC__DO_JUMP: goto jump;
        case ILC__DO_SWITCH: {
            uint32_t number = (uint32_t)fp[op->d].i4; /* III.3.66: unsigned */
            if (number >= op->u.table->count) break;
            op = ops + op->u.table->targets[number];
            goto resume;
        }
        case ILC__DO_LENGTH: {
            const ilc_array *array = ilc__il_array_at(&fp[op->d]);
            if (!array) {
                t = ILC__IL_TRAP_NULL;
                goto trapped;
            }
            fp[op->d].i4 = (int32_t)array->length; /* .NET has none above 0x7FFFFFC7 */
            break;
        }
        case ILC__DO_OTHER_NAN_R4:
            if (isnan(fp[op->d].r4)) fp[op->d].i4 = INT32_MAX;
            break;
        case ILC__DO_OTHER_NAN_R8:
            if (isnan(fp[op->d].r8)) fp[op->d].i8 = INT64_MAX;
            break;
        case ILC__DO_CALL:
            r->pc = HERE;
            r->fp = fp;
            if (!enter(r, op->u.callee, op->d)) return ILC_OK;
            fp = r->fp;
            op = ops = r->code->ops.items;
            goto resume;
        case ILC__DO_AGAIN:
            again(r->code, fp, op->d);
            op = ops;
            goto resume;
        case ILC__DO_RETURN: fp[0] = fp[op->d]; /* fall through */
        case ILC__DO_RETURN_VOID:
            if (!leave(r)) return ILC_OK;
            fp = r->fp;
            ops = r->code->ops.items;
            op = ops + r->pc;
            goto resume;
        case ILC__DO_THROW_IF:
            if (!ilc__il_test_holds(op->u.test, fp + op->d)) break;
            r->thrown = op->u.test->exception;
            t = ILC__IL_TRAP_NULL;
            goto trapped;
        case ILC__DO_EXCEPTION:
            fp[op->d].i8 = (int64_t)(uintptr_t)new_exception(r->machine, op->u.constructor, fp + op->d);
            break;
        case ILC__DO_THROW: /* III.4.31: null raises NullReferenceException */
            r->thrown = (const ilc__il_exception *)(uintptr_t)fp[op->d].i8;
            t = ILC__IL_TRAP_NULL;
            goto trapped;
        default: /* apart, so that the loop of what is frequent stays as it is */
            t = ilc__il_memory_run(r->machine, r->code, fp, op);
            if (t == ILC__IL_TRAP_COUNT) return ILC_INTERNAL;
            RAISE_IF_TRAPPED
            break;
        }
        continue;
    jump:
        op = ops + op->u.target;
        goto resume;
    }
trapped:
    r->pc = HERE;
    r->trap = t;
    return ILC_OK;
#undef HERE
#undef RAISE_IF_TRAPPED
#undef COMPUTE
#undef LOAD
#undef STORE
#undef X
}

/* --- a call ----------------------------------------------------------------------------------------------- */

static ilc_status bad_argument(ilc__il_machine *machine, const ilc__il_code *code, uint32_t i)
{
    ilc__where where = ilc__method_where(code->method, 0);
    where.has_il = false;
    where.line = 0;
    return ilc__fail(machine->ctx, ILC_INVALID, &where, "argument %s was not of type %s", code->method->param_names[i],
                     code->variables[i].type->name);
}

static ilc__il_slot slot_of(const ilc_value *value, bool is_pointer)
{
    ilc__il_slot slot = {.i8 = 0};
    uint32_t     low = (uint32_t)value->u.bits;
    ilc__il_kind kind = ilc__il_storage_kind(value->storage);
    if (value->storage == ILC_STRUCT && !value->is_array) slot.i8 = (int64_t)(uintptr_t)value->u.data;
    else if (value->is_byref) slot.i8 = (int64_t)(uintptr_t)value->u.array->data;
    else if (is_pointer) slot.i8 = ilc__il_data_of(value->u.array);
    else if (value->is_array) slot.i8 = (int64_t)(uintptr_t)value->u.array;
    else if (kind == ILC__K_I4 || kind == ILC__K_R4) memcpy(&slot, &low, sizeof low);
    else memcpy(&slot, &value->u.bits, sizeof slot);
    return slot;
}

/* Are structures of the variable's layout what the value holds? Numbers of its storage? */
static bool holds(const ilc__il_variable *v, const ilc_value *value, const ilc_array *array)
{
    if (!v->layout && v->kind == ILC__K_ARRAY)
        return value->storage == (v->nested ? ILC_ARRAY : v->storage) && ilc__array_is(array, v->storage, v->rank, v->nested);
    if (!v->layout) return value->storage == v->storage && (!array || array->elem == v->storage);
    if (value->storage != ILC_STRUCT) return false;
    if (array) return array->elem == ILC_STRUCT && ilc__layout_same(array->layout, v->layout);
    return value->is_array || (value->u.data && ilc__layout_same(value->layout, v->layout));
}

static ilc_status take_arguments(ilc__il_machine *machine, const ilc__il_code *code, const ilc_value *args,
                                 uint32_t arg_count)
{
    if (arg_count != code->param_count) {
        ilc__where where = {.method = code->method->full_name};
        return ilc__fail(machine->ctx, ILC_INVALID, &where, "%u arguments were given for %u parameters", arg_count,
                         code->param_count);
    }
    for (uint32_t i = 0; i < arg_count; i++) {
        const ilc__il_variable *v = &code->variables[i];
        const ilc_array        *array = args[i].is_array ? args[i].u.array : NULL;
        bool                    is_byref = v->kind == ILC__K_ADDR && !v->is_pointer,
                                is_array = v->kind == ILC__K_ARRAY || v->kind == ILC__K_ADDR;
        if (args[i].is_array != is_array || !holds(v, &args[i], array) ||
            args[i].is_byref != is_byref || (is_byref && (!array || array->length != 1)))
            return bad_argument(machine, code, i);
        ilc__il_row row;
        bool        same;
        machine->slots[i] = slot_of(&args[i], v->is_pointer);
        if (!is_array && !v->layout && ilc__il_coerce(v->kind, v->storage, &row, &same) && !same)
            ilc__il_row_run(row, &machine->slots[i]);
    }
    return ILC_OK;
}

/* The bits of a result: integers extended as their storage is, Single in the low half. */
static ilc_value value_of(ilc_storage storage, const ilc__il_slot *slot)
{
    ilc_value    value = {.storage = storage};
    ilc__il_kind kind = ilc__il_storage_kind(storage);
    uint32_t     low;
    memcpy(&low, slot, sizeof low);
    if (kind == ILC__K_R4 || storage == ILC_U32) value.u.bits = low;
    else if (kind == ILC__K_I4) value.u.bits = (uint64_t)(int64_t)slot->i4;
    else if (kind != ILC__K_NONE) memcpy(&value.u.bits, slot, sizeof value.u.bits);
    return value;
}

/* It lies there until the next call, or is one that the call was given. */
static ilc_value array_of(const ilc__il_variable *result, const ilc__il_slot *slot)
{
    ilc_value value = {.storage = result->nested ? ILC_ARRAY : result->layout ? ILC_STRUCT : result->storage, .is_array = true};
    value.u.array = (ilc_array *)(uintptr_t)slot->i8;
    return value;
}

/* It lies in the memory of the frame that was left, which the next call takes. */
static ilc_value structure_of(const ilc__il_variable *result, const ilc__il_slot *slot)
{
    return (ilc_value){.storage = ILC_STRUCT, .layout = result->layout, .u.data = ilc__il_address_in(slot)};
}

/* Where it happened; in the framework's code, where the program called that. */
static ilc__il_frame place_of_trap(const run *r)
{
    ilc__il_frame at = {.code = r->code, .pc = r->pc};
    for (uint32_t i = r->machine->frames.count; i-- > 0 && ilc__image_is_framework(at.code->method->image);) at = r->machine->frames.items[i];
    return ilc__image_is_framework(at.code->method->image) ? (ilc__il_frame){.code = r->code, .pc = r->pc} : at;
}

static void describe_trap(const run *r, ilc_trap *out)
{
    const ilc__il_frame at = place_of_trap(r);
    const ilc__method  *method = at.code->method;
    if (r->thrown) {
        out->exception = r->thrown->type;
        out->message = r->thrown->message;
    } else {
        ilc__il_trap_text(r->trap, &out->exception, &out->message);
    }
    out->method = method->full_name;
    out->il_offset = at.code->body.insns[at.code->sources.items[at.pc]].offset;
    out->line = ilc__debug_line(method, out->il_offset, &out->file);
    if (out->line == 0) out->file = NULL;
}

static ilc_status out_of_fuel(const run *r)
{
    ilc__where where = {.method = r->code->method->full_name};
    bool stopped = r->options && r->options->stop && *r->options->stop;
    return ilc__fail(r->machine->ctx, ILC_LIMIT, &where, stopped ? "the call was stopped" : "fuel ran out");
}

static ilc_status outside(const run *r)
{
    const ilc__method *method = r->code->method;
    ilc__where where = ilc__method_where(method, r->code->body.insns[r->code->sources.items[r->pc]].offset);
    if (r->trap == ILC__IL_TRAP_MEMORY)
        return ilc__fail(r->machine->ctx, ILC_LIMIT, &where, "the memory that the call asks for is too much");
    return ilc__fail(r->machine->ctx, ILC_INVALID, &where, "an address outside every array");
}

ilc_status ilc__il_call(ilc__il_machine *machine, const ilc__method *method, const ilc_value *args,
                        uint32_t arg_count, const ilc__interp_options *options, ilc_outcome *out)
{
    ilc__il_code *code;
    *out = (ilc_outcome){.ret = {.storage = ILC_VOID}};
    machine->host_libm = options && options->host_libm;
    machine->other_nan = options && options->other_nan;
    ILC__TRY(ilc__il_prepare(machine, method, &code));
    machine->epoch++;
    machine->frames.count = 0;
    machine->traced = (ilc__point){0};
    if (!reserve(machine, code->frame_size))
        return ilc__fail(machine->ctx, ILC_UNSUPPORTED, NULL, "a frame of %u values", code->frame_size);
    ilc__il_memory_reset(machine);
    uint8_t *memory;
    if (!take_memory(machine, code, &memory))
        return ilc__fail(machine->ctx, ILC_UNSUPPORTED, NULL, "a frame of %u bytes", code->memory_size);
    ILC__TRY(take_arguments(machine, code, args, arg_count));
    ilc__il_take_regions(machine, args, arg_count);
    run r = {.machine = machine, .options = options, .code = code, .fp = machine->slots};
    r.fuel = options && options->fuel ? options->fuel : UINT64_MAX;
    activate(machine, code);
    begin(code, r.fp, memory);
    ilc_status status = run_code(&r);
    if (status == ILC_LIMIT) return out_of_fuel(&r);
    if (status != ILC_OK) return ilc__fail(machine->ctx, status, NULL, "the judge met an operation it does not know");
    if ((r.trap == ILC__IL_TRAP_FAULT || r.trap == ILC__IL_TRAP_MEMORY) && !r.thrown) return outside(&r);
    out->trapped = r.trap != ILC__IL_TRAP_NONE;
    if (out->trapped) describe_trap(&r, &out->trap);
    else if (code->result.kind == ILC__K_ARRAY) out->ret = array_of(&code->result, &machine->slots[0]);
    else if (code->result.layout) out->ret = structure_of(&code->result, &machine->slots[0]);
    else if (code->result.storage != ILC_VOID) out->ret = value_of(code->result.storage, &machine->slots[0]);
    return ILC_OK;
}
