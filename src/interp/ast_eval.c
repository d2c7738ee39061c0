/* ast_eval.c - the tree interpreter: runs the flat code of ast_code.h. What an operation computes and when it
 * traps is ops.def's (ilc__op_eval); arrays, calls and control are here. */
#include "interp/ast_code.h"
#include "meta/layout.h"

typedef struct ilc__ast_frame {
    const ilc__ast_code *code;
    uint64_t            *registers;
    uint32_t             at, to; /* where to go on, and where the result goes */
    uint32_t             level;
} ilc__ast_frame;

enum { STOP_EVERY = 1024 /* instructions between looks at *stop */, MAX_REGISTERS = 1 << 26 };

/* --- elements ------------------------------------------------------------------------------------------------ */

static ilc_array *array_in(uint64_t bits)
{
    return (ilc_array *)(uintptr_t)bits;
}

static bool element(const ilc__ast_insn *insn, const uint64_t *r, uint64_t *index, ilc__exception_id *exception)
{
    const ilc_array *array = array_in(r[insn->a]);
    *exception = array ? ILC__EXC_INDEX : ILC__EXC_NULL_REFERENCE;
    if (!array) return false;
    /* a negative index is a large one */
    *index = insn->wide_index ? r[insn->b] : (uint64_t)(int64_t)(int32_t)(uint32_t)r[insn->b];
    return *index < (uint64_t)array->length;
}

static void *element_at(uint64_t array, uint64_t index, uint32_t size)
{
    return (uint8_t *)array_in(array)->data + index * size;
}

/* --- traps --------------------------------------------------------------------------------------------------- */

static void trap(const ilc__ast_machine *m, const ilc__ast_code *code, const ilc__ast_insn *insn, const char *type,
                 const char *message, ilc_outcome *out)
{
    const ilc__func *func = code->func;
    *out = (ilc_outcome){.trapped = true};
    out->trap = (ilc_trap){.exception = type, .message = message, .method = func->name, .il_offset = insn->il};
    if (!func->place) return;
    ilc__where where = ilc__method_where(func->place, insn->il);
    out->trap.method = ilc__arena_strdup(m->arena, where.method ? where.method : func->place->full_name);
    out->trap.line = where.line;
    out->trap.file = where.source ? ilc__arena_strdup(m->arena, where.source) : NULL;
}

/* --- the loop ------------------------------------------------------------------------------------------------ */

static void enter(const ilc__ast_code *code, uint64_t *registers)
{
    uint32_t params = code->func->param_count;
    memset(registers + params, 0, (code->var_count - params) * sizeof *registers);
    memcpy(registers + code->var_count, code->consts, code->const_count * sizeof *registers);
    ilc__ast_enter_slots(code, registers);
}

static uint64_t as_parameter(const ilc__func *func, uint32_t i, uint64_t bits)
{
    const ilc__var *var = func->vars.items[i];
    return var->is_array || var->is_addr || var->layout ? bits : ilc__ast_normalise(var->storage, bits);
}

static uint32_t find_case(const ilc__ast_table *t, int64_t value)
{
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->cases[middle].range.last < value) low = middle + 1;
        else high = middle;
    }
    return low < t->count && t->cases[low].range.first <= value ? t->cases[low].label : t->otherwise;
}

static bool is_true(uint64_t bits)
{
    return (uint32_t)bits != 0;
}

typedef struct runner {
    ilc__ast_machine    *m;
    const ilc__ast_code *code;
    const ilc__ast_insn *at;
    uint64_t            *r;
    uint32_t             depth;
    uint32_t             level; /* activations of the cycle that the function is in, itself among them */
    ilc__exception_id    exception;
} runner;

/* False: too many activations of a cycle. */
static bool call(runner *run, const ilc__ast_insn *insn)
{
    const ilc__ast_code *callee = &run->m->codes[insn->a];
    uint32_t             cycle = callee->func->cycle;
    bool                 inside = cycle && cycle == run->code->func->cycle;
    run->exception = ILC__EXC_STACK;
    if (inside && run->level >= ILC__MAX_ACTIVATIONS) return false;
    uint64_t            *registers = run->r + run->code->frame;
    const uint32_t      *args = run->code->args.items + insn->b;
    for (uint32_t i = 0; i < callee->func->param_count; i++)
        registers[i] = as_parameter(callee->func, i, run->r[args[i]]);
    run->m->frames[run->depth++] =
        (ilc__ast_frame){run->code, run->r, (uint32_t)(run->at - run->code->insns.items), insn->to, run->level};
    enter(callee, registers);
    run->code = callee;
    run->r = registers;
    run->at = callee->insns.items;
    run->level = inside ? run->level + 1 : 1;
    return true;
}

/* Back to the caller; false when there is none. */
static bool leave(runner *run, uint64_t result)
{
    if (!run->depth) return false;
    const ilc__ast_frame *frame = &run->m->frames[--run->depth];
    uint64_t              bits = ilc__ast_normalise(run->code->func->ret, result);
    run->code = frame->code;
    run->r = frame->registers;
    run->level = frame->level;
    run->at = run->code->insns.items + frame->at;
    run->r[frame->to] = bits;
    return true;
}

/* Null, then the bounds of each dimension in order; then the element's number. */
static bool place(const ilc__ast_code *code, const ilc__ast_insn *insn, uint64_t *r, ilc__exception_id *exception)
{
    const ilc_array *array = array_in(r[insn->a]);
    const uint32_t  *subscripts = code->args.items + insn->b;
    uint64_t         flat = 0;
    *exception = array ? ILC__EXC_INDEX : ILC__EXC_NULL_REFERENCE;
    for (uint32_t k = 0; array && k < insn->size; k++) {
        uint64_t subscript = (uint64_t)(int64_t)(int32_t)(uint32_t)r[subscripts[k]];
        if (subscript >= (uint64_t)array->dims[k]) return false;
        flat = flat * (uint64_t)array->dims[k] + subscript;
    }
    r[insn->to] = flat;
    return array != NULL;
}

static bool dimension(const ilc__ast_insn *insn, uint64_t *r, ilc__exception_id *exception)
{
    const ilc_array *array = array_in(r[insn->a]);
    uint32_t         number = (uint32_t)r[insn->b];
    *exception = array ? ILC__EXC_DIMENSION : ILC__EXC_NULL_REFERENCE;
    if (!array || number >= (array->rank > 1 ? array->rank : 1)) return false;
    r[insn->to] = (uint64_t)(array->rank > 1 ? array->dims[number] : array->length);
    return true;
}

/* What touches an array. False: run->exception. */
static bool touch(runner *run, const ilc__ast_insn *insn)
{
    uint64_t *r = run->r, index;
    switch (insn->what) {
    case ILC__AST_LOAD:
        if (!element(insn, r, &index, &run->exception)) return false;
        r[insn->to] = ilc__ast_load(insn->storage, element_at(r[insn->a], index, ilc_storage_size(insn->storage)));
        return true;
    case ILC__AST_STORE:
        if (!element(insn, r, &index, &run->exception)) return false;
        ilc__ast_store(insn->storage, element_at(r[insn->a], index, ilc_storage_size(insn->storage)), r[insn->to]);
        return true;
    case ILC__AST_ELEMADDR:
        if (!element(insn, r, &index, &run->exception)) return false;
        r[insn->to] = (uint64_t)(uintptr_t)element_at(r[insn->a], index, insn->size);
        return true;
    case ILC__AST_INDEX: return place(run->code, insn, r, &run->exception);
    case ILC__AST_DIM: return dimension(insn, r, &run->exception);
    case ILC__AST_NONNULL: /* as CoreCLR: what lies in the first 64 KiB */
        run->exception = ILC__EXC_NULL_REFERENCE;
        return r[insn->a] >= 65536;
    default: /* LEN. A proved one may stand before its proof, which then raises: -1, as compiled text has it. */
        run->exception = ILC__EXC_NULL_REFERENCE;
        if (!r[insn->a] && !insn->proved) return false;
        r[insn->to] = r[insn->a] ? (uint64_t)array_in(r[insn->a])->length : UINT64_MAX;
        return true;
    }
}

typedef enum step_end { RETURNED, TRAPPED, THREW, OUTSIDE, TOO_MUCH, EMPTY } step_end;

/* Runs until the root returns (*result), something traps, or `fuel` instructions are spent. */
static step_end run_for(runner *run, uint64_t fuel, uint64_t *result)
{
    while (fuel-- > 0) {
        const ilc__ast_insn *insn = run->at++;
        uint64_t            *r = run->r;
        switch ((ilc__ast_do)insn->what) {
        case ILC__AST_OP:
            if (!ilc__op_eval3(insn->op, r[insn->a], r[insn->b], r[insn->c], &r[insn->to], &run->exception)) return TRAPPED;
            break;
        case ILC__AST_MOVE: r[insn->to] = r[insn->a]; break;
        case ILC__AST_NOT: r[insn->to] = !is_true(r[insn->a]); break;
        case ILC__AST_LOAD: case ILC__AST_STORE: case ILC__AST_LEN: case ILC__AST_ELEMADDR: case ILC__AST_INDEX:
        case ILC__AST_DIM: case ILC__AST_NONNULL:
            if (!touch(run, insn)) return TRAPPED;
            break;
        case ILC__AST_NEWARR: ilc__ast_new_array(insn, r); break;
        case ILC__AST_NEWDYN:
            run->exception = ILC__EXC_OVERFLOW;
            if (insn->wide_index ? (int64_t)r[insn->a] < 0 : (int32_t)(uint32_t)r[insn->a] < 0) return TRAPPED;
            if (!ilc__ast_new_dynamic(run->m, run->code->func->vars.items[insn->b], insn, r)) return TOO_MUCH;
            break;
        case ILC__AST_ISNULL: r[insn->to] = r[insn->a] == 0; break;
        case ILC__AST_SAMEREF: r[insn->to] = r[insn->a] == r[insn->b]; break;
        case ILC__AST_SPANOF: case ILC__AST_SPAN: case ILC__AST_SPANAT: case ILC__AST_DATAADDR:
            if (!ilc__ast_make_span(run->m, insn, r)) return OUTSIDE;
            break;
        case ILC__AST_SLOTADDR: case ILC__AST_FIELDADDR: case ILC__AST_ADDADDR: case ILC__AST_LOADIND: case ILC__AST_STOREIND:
        case ILC__AST_COPYMEM: case ILC__AST_ZEROMEM: case ILC__AST_COPYBYTES: case ILC__AST_FILLBYTES:
            if (!ilc__ast_touch_memory(run->m, insn, r)) return OUTSIDE;
            break;
        case ILC__AST_CALL:
            if (!call(run, insn)) return TRAPPED;
            break;
        case ILC__AST_JUMP: run->at = run->code->insns.items + insn->a; break;
        case ILC__AST_JUMP_IF:
            if (is_true(r[insn->a])) run->at = run->code->insns.items + insn->b;
            break;
        case ILC__AST_JUMP_NOT:
            if (!is_true(r[insn->a])) run->at = run->code->insns.items + insn->b;
            break;
        case ILC__AST_SWITCH:
            run->at = run->code->insns.items +
                      find_case(&run->code->tables.items[insn->b],
                                insn->wide_index ? (int64_t)r[insn->a] : (int32_t)(uint32_t)r[insn->a]);
            break;
        case ILC__AST_RETURN:
        case ILC__AST_LEAVE:
            *result = insn->what == ILC__AST_RETURN ? r[insn->a] : 0;
            if (!leave(run, *result)) return RETURNED;
            break;
        case ILC__AST_THROW: return THREW;
        }
    }
    return EMPTY;
}

static const char *string_in(const runner *run, uint32_t where)
{
    const ilc__strings *strings = run->code->func->strings;
    uint64_t            number = (uint32_t)run->r[where];
    return strings && number < strings->count ? strings->items[number] : NULL;
}

static void describe_thrown(const runner *run, const ilc__ast_insn *insn, ilc_outcome *out)
{
    const ilc__exception *e = run->code->thrown.items[insn->a];
    const char           *message = e ? e->message : "";
    if (e && !message) {
        const char *open[] = {string_in(run, insn->b), string_in(run, insn->to)};
        message = ilc__exception_compose(run->m->arena, e, open);
    }
    trap(run->m, run->code, insn, e ? e->type : "System.Exception", message, out);
}

/* --- the public calls ------------------------------------------------------------------------------------------ */

static bool bind_one(const ilc__func *root, uint32_t param, const ilc_value *arg, uint64_t *bits)
{
    const ilc__var *var = root->vars.items[param];
    if (var->is_addr && !(var->is_pointer && !arg->is_byref)) return ilc__ast_bind_byref(var, arg, bits);
    if (var->is_addr) { /* an unmanaged pointer takes an array */
        *bits = ilc__ast_data_of(arg->is_array ? arg->u.array : NULL);
        return arg->is_array && (!arg->u.array || ilc__ast_holds(var, arg->u.array));
    }
    if (arg->is_byref || arg->is_array != var->is_array) return false;
    if (var->layout && !var->is_array) return arg->u.data && ilc__layout_same(arg->layout, var->layout);
    if (!var->is_array) {
        *bits = as_parameter(root, param, arg->u.bits);
        return true;
    }
    static const ilc_array nothing;
    *bits = (uint64_t)(uintptr_t)(var->is_span && !arg->u.array ? &nothing : arg->u.array);
    if (var->rank > 1 || var->nested) return ilc__array_is(arg->u.array, var->storage, var->rank, var->nested);
    return !arg->u.array || ilc__ast_holds(var, arg->u.array);
}

static bool is_struct(const ilc__var *var)
{
    return var->layout && !var->is_array && !var->is_addr;
}

static size_t words_of(const ilc__layout *layout)
{
    return ((size_t)layout->size + 7) / 8;
}

/* A struct parameter is a copy of the callee's own. */
static void copy_structs(ilc__ast_machine *m, const ilc__func *root, const ilc_value *args, uint32_t count)
{
    uint64_t *copies = m->copies;
    for (uint32_t i = 0; i < count; i++) {
        const ilc__var *var = root->vars.items[i];
        if (!is_struct(var)) continue;
        memcpy(copies, args[i].u.data, var->layout->size);
        m->registers[i] = (uint64_t)(uintptr_t)copies;
        copies += words_of(var->layout);
    }
    if (!root->ret_layout) return;
    memset(m->result, 0, root->ret_layout->size);
    m->registers[count] = (uint64_t)(uintptr_t)m->result;
}

static void reserve_structs(ilc__ast_machine *m, const ilc__func *root)
{
    size_t words = 0;
    for (uint32_t i = 0; i < root->param_count; i++)
        if (is_struct(root->vars.items[i])) words += words_of(root->vars.items[i]->layout);
    m->copies = ilc__arena_array(m->arena, words, sizeof *m->copies);
    m->regions[m->own_regions++] = (ilc__ast_region){(uintptr_t)m->copies, words * sizeof *m->copies};
    if (!root->ret_layout) return;
    words = words_of(root->ret_layout);
    m->result = ilc__arena_array(m->arena, words, sizeof(uint64_t));
    m->regions[m->own_regions++] = (ilc__ast_region){(uintptr_t)m->result, words * sizeof(uint64_t)};
}

static ilc_status bind(ilc__ast_machine *m, const ilc__func *root, const ilc_value *args, uint32_t count)
{
    uint32_t wanted = ilc__arg_count(root);
    if (count != wanted)
        return ilc__fail(m->ctx, ILC_INVALID, NULL, "%s takes %u arguments, not %u", root->name, (unsigned)wanted,
                         (unsigned)count);
    for (uint32_t i = 0; i < count; i++) {
        const ilc__var *var = root->vars.items[i];
        if (!bind_one(root, i, &args[i], &m->registers[i]))
            return ilc__fail(m->ctx, ILC_INVALID, NULL, "argument %s of %s was of another type", var->name, root->name);
    }
    copy_structs(m, root, args, count);
    return ILC_OK;
}

static ilc_status run_all(ilc__ast_machine *m, runner *run, const ilc__interp_options *options, step_end *end,
                          uint64_t *result)
{
    uint64_t left = options && options->fuel ? options->fuel : UINT64_MAX;
    do {
        uint64_t now = left < STOP_EVERY ? left : STOP_EVERY;
        *end = run_for(run, now, result);
        if (*end != EMPTY) return ILC_OK;
        if (left != UINT64_MAX) left -= now;
        if (options && options->stop && *options->stop)
            return ilc__fail(m->ctx, ILC_LIMIT, NULL, "%s was stopped", run->code->func->name);
    } while (left);
    return ilc__fail(m->ctx, ILC_LIMIT, NULL, "%s ran out of fuel", run->code->func->name);
}

ilc_status ilc__ast_machine_create(ilc__context *ctx, ilc__arena *arena, const ilc__unit *unit,
                                   ilc__ast_machine **out)
{
    if (!unit->funcs.count) return ilc__fail(ctx, ILC_INVALID, NULL, "there was no function to run");
    ilc__ast_machine *m = ILC__NEW(arena, ilc__ast_machine);
    m->ctx = ctx;
    m->arena = arena;
    m->count = unit->funcs.count;
    m->codes = ILC__NEW_ARRAY(arena, ilc__ast_code, m->count);
    for (uint32_t i = 0; i < m->count; i++) ILC__TRY(ilc__ast_compile(m, unit, i));
    ilc__ast_sum_needs(m);
    const ilc__ast_code *root = &m->codes[m->count - 1];
    if (root->need > MAX_REGISTERS)
        return ilc__fail(ctx, ILC_LIMIT, NULL, "%s and what it calls take too much memory", root->func->name);
    m->registers = ilc__arena_array(arena, (size_t)root->need + 1, sizeof *m->registers);
    m->frames = ilc__arena_array(arena, root->call_depth, sizeof *m->frames);
    m->regions = ILC__NEW_ARRAY(arena, ilc__ast_region, (size_t)root->func->param_count + 3);
    m->regions[m->own_regions++] = (ilc__ast_region){(uintptr_t)m->registers, root->need * sizeof *m->registers};
    reserve_structs(m, root->func);
    *out = m;
    return ILC_OK;
}

ilc_status ilc__ast_machine_call(ilc__ast_machine *m, const ilc_value *args, uint32_t arg_count,
                                 const ilc__interp_options *options, ilc_outcome *out)
{
    const ilc__ast_code *root = &m->codes[m->count - 1];
    step_end             end = EMPTY;
    uint64_t             result = 0;
    ILC__TRY(bind(m, root->func, args, arg_count));
    ilc__ast_set_regions(m, args, arg_count);
    m->span_count = 0;
    ilc__ast_clear_heap(m);
    runner run = {.m = m, .code = root, .at = root->insns.items, .r = m->registers, .level = 1};
    enter(root, m->registers);
    ILC__TRY(run_all(m, &run, options, &end, &result));
    if (end == TOO_MUCH) {
        const ilc__method *method = run.code->func->place;
        ilc__where         where = method ? ilc__method_where(method, run.at[-1].il) : (ilc__where){0};
        return ilc__fail(m->ctx, ILC_LIMIT, method ? &where : NULL, "the memory that the call asks for is too much");
    }
    if (end == OUTSIDE)
        return ilc__fail(m->ctx, ILC_INVALID, NULL, "%s reached an address outside every array", run.code->func->name);
    if (end == THREW) {
        describe_thrown(&run, &run.at[-1], out);
    } else if (end == TRAPPED) {
        trap(m, run.code, &run.at[-1], ilc__exception_type(run.exception), ilc__exception_message(run.exception), out);
    } else {
        *out = (ilc_outcome){.ret.storage = root->func->ret};
        out->ret.u.bits = ilc__ast_normalise(root->func->ret, result);
        const ilc__layout *layout = root->func->ret_layout;
        const ilc__ir_var *array = root->func->ret_array;
        if (array) out->ret = (ilc_value){.storage = array->nested ? ILC_ARRAY : array->storage, .is_array = true, .u.array = array_in(result)};
        if (layout) out->ret = (ilc_value){.storage = ILC_STRUCT, .layout = layout, .u.data = m->result};
    }
    return ILC_OK;
}

ilc_status ilc__ast_call(ilc__context *ctx, ilc__arena *arena, const ilc__unit *unit, const ilc_value *args,
                         uint32_t arg_count, const ilc__interp_options *options, ilc_outcome *out)
{
    ilc__ast_machine *m;
    ILC__TRY(ilc__ast_machine_create(ctx, arena, unit, &m));
    return ilc__ast_machine_call(m, args, arg_count, options, out);
}
