/* il_translate.c - from a decoded body to the judge's code: two walks over what is reachable. The first finds
 * the kinds on the stack where branches join, the second emits. Single instructions are in il_step.c. */
#include "interp/il_translate.h"

#include "il/instance.h"

/* Limits on hostile bodies; real ones have stacks of at most 66 and a few hundred joins. */
enum { MAX_STACK = 1024, MAX_CELLS = 1 << 20, WALKS = 64, MAX_KINDS = 1 << 24, MAX_LAYOUTS = 1024, MAX_CALLERS = 4096 };

ilc_status ilc__il_refuse(ilc__il_translator *t, ilc_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *reason = ilc__arena_vprintf(t->arena, format, args);
    va_end(args);
    ilc__where where = ilc__method_where(t->code->method, t->insn ? t->insn->offset : 0);
    if (status == ILC_UNSUPPORTED) return ilc__refuse(t->machine->ctx, &where, "%s", reason);
    return ilc__fail(t->machine->ctx, status, &where, "%s", reason);
}

static void append(ilc__il_translator *t, uint32_t op, uint32_t d)
{
    ilc__il_code *code = t->code;
    ILC__PUSH(t->machine->arena, &code->ops, (ilc__il_op){.code = (uint16_t)op, .first = t->first, .d = d});
    ILC__PUSH(t->machine->arena, &code->sources, t->number);
    ILC__PUSH(t->machine->arena, &code->stacks, code->kinds.count);
    t->first = false;
}

ilc__il_op *ilc__il_emit(ilc__il_translator *t, uint32_t op, uint32_t d)
{
    ilc__il_code *code = t->code;
    if (!t->emitting) return &t->nowhere;
    uint32_t at = code->ops.count;
    append(t, op, d);
    if (t->machine->other_nan && op < ILC__ROW_COUNT) {
        ilc__il_kind result = ilc__il_row_result((ilc__il_row)op);
        if (result == ILC__K_R4) append(t, ILC__DO_OTHER_NAN_R4, d);
        if (result == ILC__K_R8) append(t, ILC__DO_OTHER_NAN_R8, d);
    }
    return &code->ops.items[at];
}

/* --- joins ------------------------------------------------------------------------------------------------ */

/* III.1.8.1.3, and as CoreCLR joins int32 with native int and float32 with float64. */
static bool join_kinds(uint8_t a, uint8_t b, uint8_t *out)
{
    if (a > b) {
        uint8_t swap = a;
        a = b, b = swap;
    }
    bool numbers = (a == ILC__K_I4 && b == ILC__K_I8) || (a == ILC__K_R4 && b == ILC__K_R8);
    bool null = (a == ILC__K_NULL && (b == ILC__K_STRING || b == ILC__K_EXCEPTION)) ||
                (a == ILC__K_ARRAY && b == ILC__K_NULL);
    if (a != b && !numbers && !null) return false;
    *out = a == ILC__K_ARRAY ? a : b;
    return true;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Widens *into by from; *changed when that made a difference. */
static bool join_cells(ilc__il_cell *into, const ilc__il_cell *from, bool *changed)
{
    ilc__il_cell joined = *into;
    if (!join_kinds(into->kind, from->kind, &joined.kind)) return false;
    bool same_kind = into->kind == from->kind;
    if (joined.kind == ILC__K_ARRAY) {
        if (same_kind && into->span != from->span) return false;
        if (same_kind && (into->elem != from->elem || into->layout != from->layout || into->rank != from->rank ||
                          into->nested != from->nested))
            return false;
        const ilc__il_cell *array = into->kind == ILC__K_ARRAY ? into : from;
        joined.elem = array->elem;
        joined.rank = array->rank;
        joined.nested = array->nested;
        joined.layout = array->layout;
        joined.span = array->span;
    } else if (joined.kind == ILC__K_ADDR || joined.kind == ILC__K_STRUCT) {
        if (into->elem != from->elem || into->layout != from->layout || into->span != from->span) return false;
        joined.own = into->own || from->own;
        joined.pointer = into->pointer || from->pointer;
    }
    bool same = same_kind && into->number == from->number && same_text(into->text, from->text);
    joined.known = into->known && from->known && same;
    if (joined.kind != into->kind || joined.known != into->known || joined.elem != into->elem ||
        joined.own != into->own || joined.pointer != into->pointer)
        *changed = true;
    *into = joined;
    return true;
}

static ilc_status first_entry(ilc__il_translator *t, ilc__il_entry *entry)
{
    t->cell_count += t->depth;
    if (t->cell_count > MAX_CELLS)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "a body with too many values on the stack across branches");
    entry->present = true;
    entry->depth = t->depth;
    entry->cells = ILC__NEW_ARRAY(t->arena, ilc__il_cell, t->depth ? t->depth : 1);
    memcpy(entry->cells, t->cells, t->depth * sizeof *t->cells);
    return ILC_OK;
}

ilc_status ilc__il_reach(ilc__il_translator *t, uint32_t target)
{
    ilc__il_entry *entry = &t->entries[target];
    for (uint32_t i = 0; i < t->depth; i++) t->cells[i].is_ldc = false; /* what stays over a branch is in a variable */
    if (t->emitting) return ILC_OK;
    bool changed = !entry->present;
    if (!entry->present) {
        ILC__TRY(first_entry(t, entry));
    } else {
        if (entry->depth != t->depth)
            return ilc__il_refuse(t, ILC_FORMAT, "the stack's depth differs between two ways to one instruction");
        for (uint32_t i = 0; i < t->depth; i++)
            if (!join_cells(&entry->cells[i], &t->cells[i], &changed))
                return ilc__il_refuse(t, ILC_UNSUPPORTED,
                                      "values of different types on the stack on two ways to one instruction");
    }
    if (changed && !entry->queued) {
        entry->queued = true;
        ILC__PUSH(t->arena, &t->work, target);
    }
    return ILC_OK;
}

/* --- edges ------------------------------------------------------------------------------------------------ */

static ilc__il_row edge_row(const ilc__il_cell *from, const ilc__il_cell *to)
{
    if (from->kind == ILC__K_I4 && to->kind == ILC__K_I8) return ILC__ROW_CONV_I8_I4;
    return from->kind == ILC__K_R4 && to->kind == ILC__K_R8 ? ILC__ROW_CONV_R8_R4 : ILC__ROW_NONE;
}

static bool edge_converts(const ilc__il_translator *t, uint32_t target)
{
    const ilc__il_entry *entry = &t->entries[target];
    if (!t->emitting) return false;
    for (uint32_t i = 0; i < t->depth; i++)
        if (edge_row(&t->cells[i], &entry->cells[i])) return true;
    return false;
}

static void convert_edge(ilc__il_translator *t, uint32_t target)
{
    const ilc__il_entry *entry = &t->entries[target];
    if (!t->emitting) return;
    for (uint32_t i = 0; i < t->depth; i++) {
        ilc__il_row row = edge_row(&t->cells[i], &entry->cells[i]);
        if (row) ilc__il_emit(t, row, t->code->stack_first + i);
    }
}

static void emit_to(ilc__il_translator *t, uint32_t op, uint32_t d, uint32_t target)
{
    ilc__il_emit(t, op, d)->u.target = target;
    if (t->emitting) ILC__PUSH(t->arena, &t->patches, t->code->ops.count - 1);
}

/* What stands at the end of an edge that converts; the caller's branch comes here. */
static void emit_stub(ilc__il_translator *t, uint32_t target)
{
    convert_edge(t, target);
    emit_to(t, ILC__DO_JUMP, 0, target);
}

ilc_status ilc__il_branch(ilc__il_translator *t, uint32_t op, uint32_t d, uint32_t target)
{
    ILC__TRY(ilc__il_reach(t, target));
    if (!edge_converts(t, target)) {
        emit_to(t, op, d, target);
    } else if (op == ILC__DO_JUMP) {
        emit_stub(t, target);
    } else { /* branch to the stub; else jump over it */
        uint32_t at = t->code->ops.count;
        ilc__il_emit(t, op, d)->u.target = at + 2;
        ilc__il_emit(t, ILC__DO_JUMP, 0);
        emit_stub(t, target);
        t->code->ops.items[at + 1].u.target = t->code->ops.count;
    }
    return ILC_OK;
}

ilc_status ilc__il_branch_table(ilc__il_translator *t, uint32_t d, uint32_t count, const uint32_t *targets)
{
    for (uint32_t i = 0; i < count; i++) ILC__TRY(ilc__il_reach(t, targets[i]));
    if (!t->emitting) return ILC_OK;
    ilc__il_table *table = ILC__NEW(t->machine->arena, ilc__il_table);
    uint32_t      *to = ILC__NEW_ARRAY(t->machine->arena, uint32_t, count ? count : 1), at = t->code->ops.count;
    *table = (ilc__il_table){count, to};
    ilc__il_emit(t, ILC__DO_SWITCH, d)->u.table = table;
    ilc__il_emit(t, ILC__DO_JUMP, 0);
    for (uint32_t i = 0; i < count; i++) {
        to[i] = t->code->ops.count;
        emit_stub(t, targets[i]);
    }
    t->code->ops.items[at + 1].u.target = t->code->ops.count;
    return ILC_OK;
}

/* --- the walks -------------------------------------------------------------------------------------------- */

static bool falls_through(const ilc__insn *insn)
{
    switch (ilc__opcode_flow(insn->op)) {
    case ILC__FLOW_BRANCH:
    case ILC__FLOW_RETURN:
    case ILC__FLOW_THROW: return false;
    default: return true;
    }
}

static void load_entry(ilc__il_translator *t, uint32_t number)
{
    t->depth = t->entries[number].depth;
    memcpy(t->cells, t->entries[number].cells, t->depth * sizeof *t->cells);
}

static ilc_status step_at(ilc__il_translator *t, uint32_t number)
{
    t->number = number;
    t->insn = &t->code->body.insns[number];
    t->first = true;
    if (falls_through(t->insn) && number + 1 == t->code->body.insn_count)
        return ilc__il_refuse(t, ILC_FORMAT, "control left the end of the code");
    return ilc__il_step(t);
}

/* First walk: kinds at joins, until nothing changes. */
static ilc_status walk_kinds(ilc__il_translator *t)
{
    uint64_t left = (uint64_t)t->code->body.insn_count * WALKS + 100000;
    ILC__TRY(ilc__il_reach(t, 0));
    while (t->work.count) {
        uint32_t number = t->work.items[--t->work.count];
        t->entries[number].queued = false;
        load_entry(t, number);
        for (;;) {
            t->reached[number] = true;
            ILC__TRY(step_at(t, number));
            if (left-- == 0) return ilc__il_refuse(t, ILC_UNSUPPORTED, "control flow that is too involved");
            if (!falls_through(t->insn)) break;
            if (t->leaders[++number]) {
                ILC__TRY(ilc__il_reach(t, number));
                break;
            }
        }
    }
    return ILC_OK;
}

/* The number of a layout among the code's, from 1; 0 where there are too many. */
static uint32_t layout_number(ilc__il_translator *t, const ilc__layout *layout)
{
    uint32_t count = t->code->layouts.count;
    for (uint32_t i = 0; i < count; i++)
        if (t->code->layouts.items[i] == layout) return i + 1;
    if (count == MAX_LAYOUTS) return 0;
    ILC__PUSH(t->machine->arena, &t->code->layouts, layout);
    return count + 1;
}

static uint16_t noted_kind(ilc__il_translator *t, const ilc__il_cell *cell)
{
    uint32_t detail = cell->layout ? ILC_STORAGE_COUNT + layout_number(t, cell->layout) : cell->elem;
    if (cell->kind == ILC__K_ADDR && cell->pointer) return ILC__K_NONE; /* it may lead nowhere */
    return (uint16_t)(cell->kind | detail << ILC__KIND_BITS);
}

static void note_stack(ilc__il_translator *t)
{
    ilc__il_code *code = t->code;
    if (code->kinds.count > MAX_KINDS) return; /* only a trace would want them */
    ILC__PUSH(t->machine->arena, &code->kinds, (uint16_t)(t->depth < 255 ? t->depth : 255));
    for (uint32_t i = 0; i < t->depth && i < 255; i++)
        ILC__PUSH(t->machine->arena, &code->kinds, noted_kind(t, &t->cells[i]));
}

/* Second walk: code, in the order of the IL. */
static ilc_status walk_emit(ilc__il_translator *t)
{
    ilc__il_code *code = t->code;
    bool          falling = false;
    t->emitting = true;
    t->number = 0;
    t->first = false;
    ilc__il_take_parameters(t);
    for (uint32_t op = 0; op < code->ops.count; op++) code->stacks.items[op] = 0;
    for (uint32_t i = 0; i < code->body.insn_count; i++) {
        if (!t->reached[i]) {
            falling = false;
            continue;
        }
        if (t->leaders[i]) {
            if (falling) convert_edge(t, i);
            load_entry(t, i);
        }
        t->op_at[i] = code->ops.count;
        uint32_t noted = code->kinds.count, from = code->ops.count;
        note_stack(t);
        ILC__TRY(step_at(t, i));
        for (uint32_t op = from; op < code->ops.count; op++) code->stacks.items[op] = noted;
        falling = falls_through(t->insn);
    }
    for (uint32_t i = 0; i < t->patches.count; i++) {
        ilc__il_op *op = &code->ops.items[t->patches.items[i]];
        op->u.target = t->op_at[op->u.target];
    }
    return ILC_OK;
}

static void mark_leaders(ilc__il_translator *t)
{
    const ilc__body *body = &t->code->body;
    for (uint32_t i = 0; i < body->insn_count; i++) {
        const ilc__insn *insn = &body->insns[i];
        ilc__operand     operand = ilc__opcode_operand(insn->op);
        if (operand != ILC__OPERAND_BR1 && operand != ILC__OPERAND_BR4 && operand != ILC__OPERAND_SWITCH) continue;
        for (uint32_t k = 0; k < insn->u.branch.count; k++) t->leaders[body->index[insn->u.branch.targets[k]]] = true;
    }
    t->leaders[0] = true;
}

/* --- one body --------------------------------------------------------------------------------------------- */

/* A number, or an array (of arrays) of or a by-ref to numbers; of others only the storage is told. */
static ilc__il_variable plain_variable(const ilc__type *type)
{
    ilc__il_variable v = {.kind = ILC__K_NONE, .storage = ilc__type_storage(type), .type = type};
    if (ilc__il_describe_span(type, &v)) {
        if (v.storage == ILC_STORAGE_COUNT) v.kind = ILC__K_NONE; /* of structures: as they are */
    } else if (v.storage != ILC_STORAGE_COUNT) {
        v.kind = ilc__il_storage_kind(v.storage);
    } else if (type->kind == ILC__ET_STRING || type->kind == ILC__ET_OBJECT) {
        v.kind = ILC__K_STRING;
    } else if (ilc__il_describe_array(type, &v)) {
        return v;
    } else if (type->kind == ILC__ET_BYREF || type->kind == ILC__ET_PTR) {
        v.is_pointer = type->kind == ILC__ET_PTR;
        v.storage = ilc__type_storage(type->elem);
        if (v.is_pointer && v.storage == ILC_VOID) v.storage = ILC_U8; /* void* */
        if (v.storage != ILC_STORAGE_COUNT && v.storage != ILC_VOID) v.kind = ILC__K_ADDR;
    }
    return v;
}

ilc_status ilc__il_describe(ilc__il_translator *t, const ilc__type *type, ilc__il_variable *out)
{
    bool             is_array = type->kind == ILC__ET_SZARRAY, is_address = type->kind == ILC__ET_BYREF || type->kind == ILC__ET_PTR;
    const ilc__type *span = ilc__type_span(type);
    const ilc__type *target = span ? span : is_array || is_address ? type->elem : type;
    *out = plain_variable(type);
    if (out->kind != ILC__K_NONE || !ilc__type_is_struct(target)) return ILC_OK;
    ilc__where where = ilc__method_where(t->code->method, t->insn ? t->insn->offset : 0);
    ILC__TRY(ilc__layout_of(t->machine->layouts, target, &where, &out->layout));
    out->kind = is_array || span ? ILC__K_ARRAY : is_address ? ILC__K_ADDR : ILC__K_STRUCT;
    return ILC_OK;
}

ilc_status ilc__il_describe_parameter(ilc__il_translator *t, const ilc__type *type, ilc__il_variable *out)
{
    ILC__TRY(ilc__il_describe(t, type, out));
    if (out->kind != ILC__K_NONE || type->kind != ILC__ET_CLASS) return ILC_OK;
    if (strcmp(type->name, "System.Exception") == 0) out->kind = ILC__K_NULL;
    else if (ilc__il_is_own_exception(type)) out->kind = ILC__K_EXCEPTION;
    return ILC_OK;
}

/* Nothing, a number, a structure, an array or a by-ref (no root's: ilc__il_check_root); not a pointer. */
static bool result_known(const ilc__il_variable *result)
{
    return result->storage == ILC_VOID || result->kind == ILC__K_ARRAY || result->kind == ILC__K_STRUCT || (result->kind == ILC__K_ADDR && !result->is_pointer) ||
           (result->kind >= ILC__K_I4 && result->kind <= ILC__K_R8);
}

static ilc_status describe_parameter(ilc__il_translator *t, uint32_t i, const char *name, const ilc__type *type)
{
    ilc__il_variable *v = &t->code->variables[i];
    ILC__TRY(ilc__il_describe_parameter(t, type, v));
    if (v->kind == ILC__K_NONE)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "parameter %s of type %s", name, type->name);
    return v->kind == ILC__K_STRUCT ? ilc__il_place(t, v, v->layout->size) : ILC_OK;
}

static ilc_status describe_this(ilc__il_translator *t)
{
    const ilc__method *method = t->code->method;
    const ilc__type   *type;
    ilc__il_variable  *v = &t->code->variables[0];
    ILC__TRY(ilc__method_this_type(method, &type));
    bool is_own = strcmp(method->name, ".ctor") == 0 && ilc__il_is_own_exception(type);
    if (is_own && !method->sig.explicit_this) return ilc__il_describe_parameter(t, type, v);
    if (!ilc__type_is_value(type) || method->sig.explicit_this)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s, an instance method", method->name);
    ILC__TRY(ilc__il_describe(t, type, v));
    v->kind = ILC__K_ADDR;
    return ILC_OK;
}

/* Parameters and the result must be known even where they are not used: a caller has to give them. Locals of
 * structures are described where they are used. */
static ilc_status describe(ilc__il_translator *t)
{
    ilc__il_code         *code = t->code;
    const ilc__signature *sig = &code->method->sig;
    const char           *name = code->method->name;
    uint32_t              has_this = sig->has_this ? 1 : 0;
    if (sig->vararg) return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s, a method of variable arguments", name);
    code->param_count = sig->param_count + has_this;
    code->memory_slot = code->param_count + code->body.local_count;
    code->stack_first = code->memory_slot + 1;
    code->memory_size = code->zeroed_size = 0;
    code->variables = ILC__NEW_ARRAY(t->machine->arena, ilc__il_variable, code->stack_first + 1);
    if (has_this) ILC__TRY(describe_this(t));
    for (uint32_t i = 0; i < sig->param_count; i++)
        ILC__TRY(describe_parameter(t, i + has_this, code->method->param_names[i], sig->params[i]));
    for (uint32_t i = 0; i < code->body.local_count; i++) {
        code->variables[code->param_count + i] = plain_variable(code->body.locals[i]);
    }
    ILC__TRY(ilc__il_describe(t, sig->ret, &code->result));
    if (!result_known(&code->result))
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "a result of type %s", sig->ret->name);
    return ilc__il_scan_variables(t);
}

ilc_status ilc__il_check_root(ilc__il_machine *machine, const ilc__method *method)
{
    const ilc__signature *sig = &method->sig;
    ilc__where            where = ilc__method_where(method, 0);
    if (sig->has_this) return ilc__refuse(machine->ctx, &where, "%s, an instance method", method->name);
    for (uint32_t i = 0; i < sig->param_count; i++)
        if (plain_variable(sig->params[i]).kind == ILC__K_STRING)
            return ilc__refuse(machine->ctx, &where, "parameter %s of type %s", method->param_names[i],
                               sig->params[i]->name);
    if (sig->ret->kind == ILC__ET_BYREF || ilc__type_span(sig->ret) || plain_variable(sig->ret).kind == ILC__K_STRING)
        return ilc__refuse(machine->ctx, &where, "a result of type %s", sig->ret->name);
    return ILC_OK;
}

static ilc_status check_body(ilc__il_translator *t)
{
    const ilc__body *body = &t->code->body;
    if (body->insn_count == 0) return ilc__il_refuse(t, ILC_FORMAT, "a body without instructions");
    for (uint32_t i = 0; i < body->clause_count; i++) {
        uint32_t start = body->clauses[i].try_start;
        if (start < body->code_size && body->index[start] < body->insn_count)
            t->insn = &body->insns[body->index[start]];
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "an exception handler (try block)");
    }
    if (body->max_stack > MAX_STACK)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "a stack of more than %d values", MAX_STACK);
    return ILC_OK;
}

ilc_status ilc__il_translate(ilc__il_machine *machine, ilc__il_code *code)
{
    ilc__il_translator t = {.machine = machine, .code = code, .arena = machine->arena};
    ILC__TRY(ilc__body_decode(machine->ctx, machine->arena, code->method, &code->body));
    ILC__TRY(ilc__body_fold(machine->ctx, machine->arena, &code->body));
    ILC__TRY(describe(&t));
    ILC__TRY(check_body(&t));
    uint32_t count = code->body.insn_count;
    code->frame_size = code->stack_first + code->body.max_stack + 2;
    code->callees.count = code->ops.count = code->sources.count = code->stacks.count = code->kinds.count = 0;
    code->layouts.count = 0;
    t.cells = ILC__NEW_ARRAY(t.arena, ilc__il_cell, code->body.max_stack + 1);
    t.temporaries = ILC__NEW_ARRAY(t.arena, ilc__il_temporary, code->body.max_stack + 1);
    t.leaders = ILC__NEW_ARRAY(t.arena, bool, count);
    t.reached = ILC__NEW_ARRAY(t.arena, bool, count);
    t.entries = ILC__NEW_ARRAY(t.arena, ilc__il_entry, count);
    t.op_at = ILC__NEW_ARRAY(t.arena, uint32_t, count);
    mark_leaders(&t);
    ILC__TRY(walk_kinds(&t));
    ILC__TRY(ilc__il_place_temporaries(&t));
    ILC__TRY(walk_emit(&t));
    code->translated = true;
    return ILC_OK;
}

/* --- a method and all it reaches -------------------------------------------------------------------------- */

ilc__il_code *ilc__il_code_of(ilc__il_machine *machine, const ilc__method *method)
{
    ilc__map     *codes = &machine->codes[machine->host_libm][machine->other_nan];
    ilc__il_code *code = ilc__map_get(codes, &method, sizeof method);
    if (!code) {
        code = ILC__NEW(machine->arena, ilc__il_code);
        code->method = method;
        ilc__map_put(codes, &method, sizeof method, code);
    }
    return code;
}

/* What the framework's code cannot do is refused where the program calls it. */
static ilc_status translate(ilc__il_machine *machine, ilc__il_code *code)
{
    uint32_t            before = machine->ctx->diags.count;
    const ilc__il_code *callee = code;
    ilc_status          status = ilc__il_translate(machine, code);
    if (status != ILC_UNSUPPORTED || machine->ctx->diags.count == before) return status;
    for (unsigned i = 0; i < MAX_CALLERS && callee->from && ilc__image_is_framework(callee->from->method->image); i++) callee = callee->from;
    if (!callee->from || !ilc__image_is_framework(callee->method->image)) return status;
    const ilc__diag found = machine->ctx->diags.items[before];
    ilc__where      where = ilc__method_where(callee->from->method, callee->from_il);
    machine->ctx->diags.count = before;
    if (strcmp(callee->method->name, ".ctor") == 0) return ilc__refuse(machine->ctx, &where, "creation of %s", callee->method->type_name);
    if (callee == code) return ilc__refuse(machine->ctx, &where, "call to %s", callee->method->full_name);
    return ilc__refuse(machine->ctx, &where, "call to %s (%s: %s)", callee->method->full_name, code->method->full_name, found.reason);
}

ilc_status ilc__il_prepare(ilc__il_machine *machine, const ilc__method *method, ilc__il_code **out)
{
    ILC__VEC(ilc__il_code *) seen = {0};
    if (method->sig.has_this) ILC__TRY(ilc__static_form(machine->arena, method, &method));
    ilc__il_code *root = ilc__il_code_of(machine, method);
    *out = root;
    if (!root->is_root) ILC__TRY(ilc__il_check_root(machine, method));
    root->is_root = true; /* ready may be older: as a callee */
    if (root->ready) return ILC_OK;
    root->checked = ++machine->walk;
    ILC__PUSH(machine->arena, &seen, root);
    for (uint32_t i = 0; i < seen.count; i++) {
        ilc__il_code *code = seen.items[i];
        if (!code->translated) ILC__TRY(translate(machine, code));
        for (uint32_t k = 0; k < code->callees.count; k++) {
            ilc__il_code *callee = code->callees.items[k];
            if (callee->ready || callee->checked == machine->walk) continue;
            callee->checked = machine->walk;
            ILC__PUSH(machine->arena, &seen, callee);
        }
    }
    ilc__il_find_cycles(machine, root);
    for (uint32_t i = 0; i < seen.count; i++) seen.items[i]->ready = true;
    return ILC_OK;
}
