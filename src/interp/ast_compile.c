/* ast_compile.c - trees to the flat code of ast_code.h. Registers: variables, constants, then temporaries in
 * the order of a stack. Recursion is as deep as trees nest (ILC__AST_MAX_EXPR_DEPTH, ILC__AST_MAX_STMT_DEPTH). */
#include <stdlib.h>

#include "interp/ast_code.h"
#include "meta/layout.h"

typedef struct loop_labels {
    uint32_t at_break, at_continue;
} loop_labels;

typedef struct compiler {
    ilc__arena      *arena;
    const ilc__unit *unit;
    uint32_t         index; /* of the function in its unit */
    ilc__ast_code   *code;
    ilc__ast_machine *machine;
    uint32_t         top; /* next free temporary */
    uint32_t         const_at;
    uint32_t         il;
    bool             has_il; /* of the statement at hand */
    ILC__VEC(uint32_t) labels; /* label -> instruction */
    ilc__map loops, named;     /* loop statement -> its labels; label of the tree -> label */
    bool     broken;           /* a callee that does not stand before this function */
} compiler;

static uint32_t put(compiler *c, ilc__ast_insn insn)
{
    ILC__PUSH(c->arena, &c->code->insns, insn);
    return c->code->insns.count - 1;
}

static uint32_t new_label(compiler *c)
{
    ILC__PUSH(c->arena, &c->labels, 0);
    return c->labels.count - 1;
}

static void set_label(compiler *c, uint32_t label)
{
    c->labels.items[label] = c->code->insns.count;
}

static uint32_t new_temp(compiler *c)
{
    uint32_t at = c->top++;
    if (c->top > c->code->frame) c->code->frame = c->top;
    return at;
}

static uint32_t new_const(compiler *c, const ilc__expr *e)
{
    uint64_t bits = e->u.bits;
    if (e->type == ILC__IR_I32) bits = (uint64_t)(int64_t)(int32_t)(uint32_t)bits;
    c->code->consts[c->const_at] = bits;
    return c->code->var_count + c->const_at++;
}

/* --- expressions ----------------------------------------------------------------------------------------------- */

static uint32_t value(compiler *c, const ilc__expr *e);
static void     value_to(compiler *c, const ilc__expr *e, uint32_t to);

/* Jumps when e is (sense) or is not (!sense) true. */
static void jump_when(compiler *c, const ilc__expr *e, bool sense, uint32_t label)
{
    if (e->kind == ILC__EX_NOT) {
        jump_when(c, e->args[0], !sense, label);
        return;
    }
    if (e->kind == ILC__EX_AND || e->kind == ILC__EX_OR) {
        bool decides = (e->kind == ILC__EX_OR) == sense; /* the first operand alone may decide to jump */
        uint32_t skip = decides ? label : new_label(c);
        jump_when(c, e->args[0], decides ? sense : !sense, skip);
        jump_when(c, e->args[1], sense, label);
        if (!decides) set_label(c, skip);
        return;
    }
    uint32_t top = c->top, a = value(c, e);
    c->top = top;
    put(c, (ilc__ast_insn){.what = sense ? ILC__AST_JUMP_IF : ILC__AST_JUMP_NOT, .a = a, .b = label});
}

static void jump(compiler *c, uint32_t label)
{
    put(c, (ilc__ast_insn){.what = ILC__AST_JUMP, .a = label});
}

static void truth_to(compiler *c, const ilc__expr *e, uint32_t to)
{
    uint32_t no = new_label(c), end = new_label(c);
    ilc__expr one = {.kind = ILC__EX_CONST, .type = ILC__IR_I32, .u.bits = 1}, zero = one;
    zero.u.bits = 0;
    jump_when(c, e, false, no);
    put(c, (ilc__ast_insn){.what = ILC__AST_MOVE, .to = to, .a = new_const(c, &one)});
    jump(c, end);
    set_label(c, no);
    put(c, (ilc__ast_insn){.what = ILC__AST_MOVE, .to = to, .a = new_const(c, &zero)});
    set_label(c, end);
}

static void select_to(compiler *c, const ilc__expr *e, uint32_t to)
{
    uint32_t no = new_label(c), end = new_label(c);
    jump_when(c, e->args[0], false, no);
    value_to(c, e->args[1], to);
    jump(c, end);
    set_label(c, no);
    value_to(c, e->args[2], to);
    set_label(c, end);
}

static void call_to(compiler *c, const ilc__expr *e, uint32_t to)
{
    uint32_t callee = 0;
    while (callee < c->machine->count && c->unit->funcs.items[callee] != e->u.callee) callee++;
    bool inside = e->u.callee && e->u.callee->cycle && e->u.callee->cycle == c->code->func->cycle;
    if (callee == c->machine->count || (callee >= c->index && !inside) || e->u.callee->param_count != e->arg_count) {
        c->broken = true;
        return;
    }
    uint32_t *registers = ILC__NEW_ARRAY(c->arena, uint32_t, (size_t)e->arg_count + 1);
    for (uint32_t i = 0; i < e->arg_count; i++) registers[i] = value(c, e->args[i]);
    uint32_t first = c->code->args.count;
    for (uint32_t i = 0; i < e->arg_count; i++) ILC__PUSH(c->arena, &c->code->args, registers[i]);
    put(c, (ilc__ast_insn){.what = ILC__AST_CALL, .to = to, .a = callee, .b = first, .il = e->il, .has_il = e->has_il});
}

static ilc__ast_do what_of(ilc__expr_kind kind)
{
    switch (kind) {
    case ILC__EX_LOAD: return ILC__AST_LOAD;
    case ILC__EX_LEN: return ILC__AST_LEN;
    case ILC__EX_DIM: return ILC__AST_DIM;
    case ILC__EX_ISNULL: return ILC__AST_ISNULL;
    case ILC__EX_SAMEREF: return ILC__AST_SAMEREF;
    case ILC__EX_SPANOF: return ILC__AST_SPANOF;
    case ILC__EX_SPAN: return ILC__AST_SPAN;
    case ILC__EX_SPANAT: return ILC__AST_SPANAT;
    case ILC__EX_DATAADDR: return ILC__AST_DATAADDR;
    case ILC__EX_NOT: return ILC__AST_NOT;
    case ILC__EX_ELEMADDR: return ILC__AST_ELEMADDR;
    case ILC__EX_FIELDADDR: return ILC__AST_FIELDADDR;
    case ILC__EX_ADDADDR: return ILC__AST_ADDADDR;
    case ILC__EX_ADDRINT: return ILC__AST_MOVE;
    case ILC__EX_NONNULL: return ILC__AST_NONNULL;
    case ILC__EX_LOADIND: return ILC__AST_LOADIND;
    default: return ILC__AST_OP;
    }
}

/* Of an element, or from a struct to its field. */
static uint32_t size_in(compiler *c, const ilc__expr *e)
{
    if (e->kind == ILC__EX_ELEMADDR || e->kind == ILC__EX_SPAN || e->kind == ILC__EX_SPANAT) return ilc__ast_size_of(e->storage, e->layout);
    if (e->kind != ILC__EX_FIELDADDR) return 0;
    if (e->layout && e->u.field < e->layout->field_count) return e->layout->fields[e->u.field].offset;
    c->broken = true;
    return 0;
}

/* A struct parameter is the address of the caller's copy. */
static void slot_to(compiler *c, const ilc__var *var, uint32_t to)
{
    if (var->is_param && var->layout) put(c, (ilc__ast_insn){.what = ILC__AST_MOVE, .to = to, .a = var->index});
    else put(c, (ilc__ast_insn){.what = ILC__AST_SLOTADDR, .to = to, .a = c->code->slot_at[var->index] +
                                     (var->is_array ? (uint32_t)(sizeof(ilc_array) / sizeof(uint64_t)) : 0)}); /* behind the array object */
}

/* A static array stands where its initialiser was read. */
static void table_to(compiler *c, const ilc__static *table, uint32_t to)
{
    const ilc__expr address = {.kind = ILC__EX_CONST, .type = ILC__IR_I64, .u.bits = (uint64_t)(uintptr_t)&table->array};
    put(c, (ilc__ast_insn){.what = ILC__AST_MOVE, .to = to, .a = value(c, &address)});
}

/* Subscripts of several dimensions: their values are registers first, first + 1, ... of code->args. */
static uint32_t subscripts(compiler *c, const ilc__expr *index)
{
    uint32_t registers[3] = {0};
    for (uint32_t i = 0; i < index->arg_count && i < 3; i++) registers[i] = value(c, index->args[i]);
    uint32_t first = c->code->args.count;
    for (uint32_t i = 0; i < index->arg_count && i < 3; i++) ILC__PUSH(c->arena, &c->code->args, registers[i]);
    return first;
}

/* Where the element is, once null and bounds are looked at. */
static uint32_t place_of(compiler *c, uint32_t array, const ilc__expr *index, uint32_t first, uint32_t il, bool has_il)
{
    uint32_t to = new_temp(c);
    put(c, (ilc__ast_insn){.what = ILC__AST_INDEX, .to = to, .a = array, .b = first, .size = index->arg_count, .il = il,
                           .has_il = has_il});
    return to;
}

static uint32_t second_operand(compiler *c, const ilc__expr *e, uint32_t a)
{
    if (e->arg_count < 2) return a;
    const ilc__expr *index = e->args[1];
    if (index->kind != ILC__EX_SUBSCRIPTS) return value(c, index);
    return place_of(c, a, index, subscripts(c, index), e->has_il ? e->il : c->il, e->has_il || c->has_il);
}

static void value_to(compiler *c, const ilc__expr *e, uint32_t to)
{
    uint32_t top = c->top;
    switch (e->kind) {
    case ILC__EX_CONST:
    case ILC__EX_VAR: put(c, (ilc__ast_insn){.what = ILC__AST_MOVE, .to = to, .a = value(c, e)}); return;
    case ILC__EX_AND:
    case ILC__EX_OR: truth_to(c, e, to); return;
    case ILC__EX_SELECT: select_to(c, e, to); return;
    case ILC__EX_CALL: call_to(c, e, to); break;
    case ILC__EX_SLOTADDR: slot_to(c, e->u.var, to); break;
    case ILC__EX_NEWARR:
        if (e->u.var->table) {
            table_to(c, e->u.var->table, to);
            return;
        }
        if (e->u.var->is_dynamic) {
            put(c, (ilc__ast_insn){.what = ILC__AST_NEWDYN, .storage = e->u.var->storage, .to = to, .a = value(c, e->args[0]), .b = e->u.var->index,
                                   .size = ilc__ast_size_of(e->u.var->storage, e->u.var->layout), .wide_index = e->args[0]->type == ILC__IR_I64,
                                   .il = e->has_il ? e->il : c->il, .has_il = e->has_il || c->has_il});
            break;
        }
        put(c, (ilc__ast_insn){.what = ILC__AST_NEWARR, .storage = e->u.var->storage, .to = to, .a = c->code->slot_at[e->u.var->index],
                               .b = value(c, e->args[0])});
        break;
    default: {
        uint32_t a = value(c, e->args[0]), b = second_operand(c, e, a), third = e->arg_count > 2 ? value(c, e->args[2]) : a;
        ilc__ast_insn insn = {.what = (uint8_t)what_of(e->kind), .op = e->op, .storage = e->storage, .proved = e->proved, .to = to,
                              .a = a, .b = b, .c = third, .il = e->has_il ? e->il : c->il, .has_il = e->has_il || c->has_il};
        insn.wide_index = (e->kind == ILC__EX_LOAD || e->kind == ILC__EX_ELEMADDR || e->kind == ILC__EX_SPAN) && e->args[1]->type == ILC__IR_I64;
        insn.size = size_in(c, e);
        if (e->kind == ILC__EX_LOAD && e->type == ILC__IR_REF) insn.storage = ILC_INT; /* an array is its address */
        if (e->kind == ILC__EX_ADDADDR || e->kind == ILC__EX_SPANAT) c->machine->has_pointers = true;
        put(c, insn);
        break;
    }
    }
    c->top = top;
}

/* The register that holds e: its own for a variable, which no expression changes. */
static uint32_t value(compiler *c, const ilc__expr *e)
{
    if (e->kind == ILC__EX_VAR) return e->u.var->index;
    if (e->kind == ILC__EX_CONST) return new_const(c, e);
    uint32_t to = new_temp(c);
    value_to(c, e, to);
    return to;
}

/* --- statements ------------------------------------------------------------------------------------------------ */

static void list(compiler *c, const ilc__block *block);

static loop_labels *open_loop(compiler *c, const ilc__stmt *s)
{
    loop_labels *l = ILC__NEW(c->arena, loop_labels);
    l->at_break = new_label(c);
    l->at_continue = new_label(c);
    ilc__map_put(&c->loops, &s, sizeof s, l);
    return l;
}

static void jump_by(compiler *c, ilc__op op, uint32_t a, uint32_t b, uint32_t label)
{
    uint32_t at = new_temp(c);
    put(c, (ilc__ast_insn){.what = ILC__AST_OP, .op = op, .to = at, .a = a, .b = b});
    put(c, (ilc__ast_insn){.what = ILC__AST_JUMP_IF, .a = at, .b = label});
}

/* To `top` when another turn comes. */
static void test_counter(compiler *c, const ilc__stmt *s, uint32_t top)
{
    uint32_t k = s->var->index, up = new_label(c), end = new_label(c);
    bool     wide = s->b->type == ILC__IR_I64;
    if (s->ends != ILC__FOR_BY_SIGN) {
        jump_by(c, s->compare, k, value(c, s->b), top);
        return;
    }
    ilc__expr zero = {.kind = ILC__EX_CONST, .type = s->c->type};
    uint32_t  by = value(c, s->c), limit = value(c, s->b);
    jump_by(c, wide ? ILC__OP_GE_I64 : ILC__OP_GE_I32, by, new_const(c, &zero), up);
    jump_by(c, wide ? ILC__OP_GE_I64 : ILC__OP_GE_I32, k, limit, top);
    jump(c, end);
    set_label(c, up);
    jump_by(c, wide ? ILC__OP_LE_I64 : ILC__OP_LE_I32, k, limit, top);
    set_label(c, end);
}

static void step(compiler *c, const ilc__stmt *s, const loop_labels *l)
{
    uint32_t k = s->var->index, last = 0;
    bool     wide = s->b->type == ILC__IR_I64;
    if (s->ends == ILC__FOR_AT_LIMIT) {
        last = new_temp(c);
        put(c, (ilc__ast_insn){.what = ILC__AST_OP, .op = wide ? ILC__OP_EQ_I64 : ILC__OP_EQ_I32, .to = last, .a = k, .b = value(c, s->b)});
    }
    put(c, (ilc__ast_insn){.what = ILC__AST_OP, .op = s->step, .to = k, .a = k, .b = value(c, s->c), .il = s->step_il,
                           .has_il = s->has_il});
    if (s->ends == ILC__FOR_AT_LIMIT) put(c, (ilc__ast_insn){.what = ILC__AST_JUMP_IF, .a = last, .b = l->at_break});
}

static void loop(compiler *c, const ilc__stmt *s)
{
    loop_labels *l = open_loop(c, s);
    uint32_t     top = new_label(c), test = new_label(c);
    if (s->kind == ILC__ST_FOR) value_to(c, s->a, s->var->index);
    if (s->kind == ILC__ST_WHILE || s->kind == ILC__ST_FOR) jump(c, test);
    set_label(c, top);
    if (s->kind == ILC__ST_LOOP) set_label(c, l->at_continue);
    list(c, &s->body);
    if (s->kind != ILC__ST_LOOP) set_label(c, l->at_continue);
    if (s->kind == ILC__ST_FOR) step(c, s, l);
    set_label(c, test);
    if (s->kind == ILC__ST_LOOP) {
        jump(c, top);
    } else if (s->kind == ILC__ST_FOR) {
        test_counter(c, s, top);
    } else {
        jump_when(c, s->a, true, top);
    }
    set_label(c, l->at_break);
}

static int by_value(const void *x, const void *y)
{
    const ilc__ast_case *a = x, *b = y;
    return (a->range.first > b->range.first) - (a->range.first < b->range.first);
}

static void switch_to(compiler *c, const ilc__stmt *s)
{
    ilc__ast_table table = {0};
    uint32_t       end = new_label(c), a = value(c, s->a), filled = 0;
    uint32_t      *bodies = ILC__NEW_ARRAY(c->arena, uint32_t, (size_t)s->case_count + 1);
    table.otherwise = new_label(c);
    for (uint32_t k = 0; k < s->case_count; k++) table.count += s->cases[k].count;
    table.cases = ILC__NEW_ARRAY(c->arena, ilc__ast_case, (size_t)table.count + 1);
    for (uint32_t k = 0; k < s->case_count; k++) {
        bodies[k] = new_label(c);
        for (uint32_t i = 0; i < s->cases[k].count; i++)
            table.cases[filled++] = (ilc__ast_case){s->cases[k].ranges[i], bodies[k]};
    }
    qsort(table.cases, table.count, sizeof *table.cases, by_value);
    ILC__PUSH(c->arena, &c->code->tables, table);
    put(c, (ilc__ast_insn){.what = ILC__AST_SWITCH, .a = a, .b = c->code->tables.count - 1,
                           .wide_index = s->a->type == ILC__IR_I64});
    for (uint32_t k = 0; k < s->case_count; k++) {
        set_label(c, bodies[k]);
        list(c, &s->cases[k].body);
        jump(c, end);
    }
    set_label(c, table.otherwise);
    list(c, &s->other);
    set_label(c, end);
}

static void branch(compiler *c, const ilc__stmt *s)
{
    uint32_t no = new_label(c);
    jump_when(c, s->a, false, no);
    list(c, &s->body);
    if (s->other.first) {
        uint32_t end = new_label(c);
        jump(c, end);
        set_label(c, no);
        list(c, &s->other);
        set_label(c, end);
    } else {
        set_label(c, no);
    }
}

static uint32_t named_label(compiler *c, uint32_t label)
{
    uint32_t *known = ilc__map_get(&c->named, &label, sizeof label);
    if (!known) {
        known = ILC__NEW(c->arena, uint32_t);
        *known = new_label(c);
        ilc__map_put(&c->named, &label, sizeof label, known);
    }
    return *known;
}

static void store(compiler *c, const ilc__stmt *s)
{
    bool     several = s->b->kind == ILC__EX_SUBSCRIPTS;
    uint32_t a = value(c, s->a), b = several ? subscripts(c, s->b) : value(c, s->b), v = value(c, s->c);
    if (several) b = place_of(c, a, s->b, b, s->il, s->has_il);
    put(c, (ilc__ast_insn){.what = ILC__AST_STORE, .storage = s->storage, .to = v, .a = a, .b = b, .il = s->il,
                           .has_il = s->has_il, .wide_index = s->b->type == ILC__IR_I64});
}

static void store_memory(compiler *c, const ilc__stmt *s)
{
    ilc__ast_do what = s->kind == ILC__ST_STOREIND  ? ILC__AST_STOREIND
                       : s->kind == ILC__ST_COPYMEM ? ILC__AST_COPYMEM
                                                    : ILC__AST_ZEROMEM;
    uint32_t a = value(c, s->a), b = s->b ? value(c, s->b) : a;
    put(c, (ilc__ast_insn){.what = (uint8_t)what, .storage = s->storage, .a = a, .b = b,
                           .size = ilc__ast_size_of(s->storage, s->layout)});
}

static void touch_bytes(compiler *c, const ilc__stmt *s)
{
    uint32_t a = value(c, s->a), b = value(c, s->b), count = value(c, s->c);
    c->machine->has_pointers = true;
    put(c, (ilc__ast_insn){.what = s->kind == ILC__ST_COPYBYTES ? ILC__AST_COPYBYTES : ILC__AST_FILLBYTES, .to = count,
                           .a = a, .b = b});
}

static void exit_loop(compiler *c, const ilc__stmt *s)
{
    const ilc__stmt   *target = s->target;
    const loop_labels *l = ilc__map_get(&c->loops, &target, sizeof target);
    if (!l) c->broken = true;
    else jump(c, s->kind == ILC__ST_BREAK ? l->at_break : l->at_continue);
}

static void statement(compiler *c, const ilc__stmt *s)
{
    c->il = s->il;
    c->has_il = s->has_il;
    switch (s->kind) {
    case ILC__ST_ASSIGN: value_to(c, s->a, s->var->index); break;
    case ILC__ST_STORE: store(c, s); break;
    case ILC__ST_STOREIND: case ILC__ST_COPYMEM: case ILC__ST_ZEROMEM: store_memory(c, s); break;
    case ILC__ST_COPYBYTES: case ILC__ST_FILLBYTES: touch_bytes(c, s); break;
    case ILC__ST_EVAL: value(c, s->a); break;
    case ILC__ST_IF: branch(c, s); break;
    case ILC__ST_LOOP: case ILC__ST_WHILE: case ILC__ST_DO: case ILC__ST_FOR: loop(c, s); break;
    case ILC__ST_SWITCH: switch_to(c, s); break;
    case ILC__ST_BREAK: case ILC__ST_CONTINUE: exit_loop(c, s); break;
    case ILC__ST_RETURN:
        if (s->a) put(c, (ilc__ast_insn){.what = ILC__AST_RETURN, .a = value(c, s->a)});
        else put(c, (ilc__ast_insn){.what = ILC__AST_LEAVE});
        break;
    case ILC__ST_THROW:
        ILC__PUSH(c->arena, &c->code->thrown, s->exc);
        put(c, (ilc__ast_insn){.what = ILC__AST_THROW, .a = c->code->thrown.count - 1, .b = s->a ? value(c, s->a) : 0,
                               .to = s->b ? value(c, s->b) : 0, .il = s->il, .has_il = s->has_il});
        break;
    case ILC__ST_LABEL: set_label(c, named_label(c, s->label)); break;
    case ILC__ST_GOTO: jump(c, named_label(c, s->label)); break;
    }
}

static void list(compiler *c, const ilc__block *block)
{
    for (const ilc__stmt *s = block->first; s; s = s->next) {
        uint32_t top = c->top;
        statement(c, s);
        c->top = top;
    }
}

/* --- one function ---------------------------------------------------------------------------------------------- */

/* At most how many constants: two more for each truth that becomes a value; a For may evaluate its limit and step twice. */
static uint32_t consts_in(const ilc__expr *e)
{
    if (!e) return 0;
    uint32_t count = e->kind == ILC__EX_CONST ? 1 : e->kind == ILC__EX_AND || e->kind == ILC__EX_OR ? 2 : 0;
    for (uint32_t i = 0; i < e->arg_count; i++) count += consts_in(e->args[i]);
    return count;
}

static uint32_t consts_of(const ilc__block *block)
{
    uint32_t count = 0;
    for (const ilc__stmt *s = block->first; s; s = s->next) {
        count += consts_in(s->a) + consts_in(s->b) + consts_in(s->c) + consts_of(&s->body) + consts_of(&s->other);
        if (s->kind == ILC__ST_FOR && s->ends != ILC__FOR_BY_COMPARE) count += consts_in(s->b) + consts_in(s->c) + 1;
        for (uint32_t k = 0; k < s->case_count; k++) count += consts_of(&s->cases[k].body);
    }
    return count;
}

static void resolve_labels(compiler *c)
{
    for (uint32_t i = 0; i < c->code->insns.count; i++) {
        ilc__ast_insn *insn = &c->code->insns.items[i];
        if (insn->what == ILC__AST_JUMP) insn->a = c->labels.items[insn->a];
        if (insn->what == ILC__AST_JUMP_IF || insn->what == ILC__AST_JUMP_NOT) insn->b = c->labels.items[insn->b];
    }
    for (uint32_t t = 0; t < c->code->tables.count; t++) {
        ilc__ast_table *table = &c->code->tables.items[t];
        table->otherwise = c->labels.items[table->otherwise];
        for (uint32_t k = 0; k < table->count; k++) table->cases[k].label = c->labels.items[table->cases[k].label];
    }
}

/* What the calls out of a function's cycle need: those callees stand before it and are summed up. */
static void sum_callees(ilc__ast_machine *machine, const ilc__ast_code *code, uint64_t *need, uint32_t *depth)
{
    for (uint32_t i = 0; i < code->insns.count; i++) {
        const ilc__ast_insn *insn = &code->insns.items[i];
        if (insn->what != ILC__AST_CALL) continue;
        const ilc__ast_code *callee = &machine->codes[insn->a];
        if (code->func->cycle && callee->func->cycle == code->func->cycle) continue;
        if (callee->need > *need) *need = callee->need;
        if (callee->call_depth > *depth) *depth = callee->call_depth;
    }
}

static bool in_cycle(const ilc__ast_machine *machine, uint32_t index, uint32_t cycle)
{
    return index < machine->count && machine->codes[index].func->cycle == cycle;
}

/* The functions from `index` on that are one cycle, or the one; returns the number after them. */
static uint32_t sum_cycle(ilc__ast_machine *machine, uint32_t index)
{
    uint32_t cycle = machine->codes[index].func->cycle, end = index + 1, frame = 0, depth = 0;
    uint64_t need = 0;
    while (cycle && in_cycle(machine, end, cycle)) end++;
    for (uint32_t i = index; i < end; i++) {
        sum_callees(machine, &machine->codes[i], &need, &depth);
        if (machine->codes[i].frame > frame) frame = machine->codes[i].frame;
    }
    uint32_t activations = cycle ? ILC__MAX_ACTIVATIONS : 1;
    for (uint32_t i = index; i < end; i++) {
        machine->codes[i].need = need + (uint64_t)frame * activations;
        machine->codes[i].call_depth = depth + activations;
    }
    return end;
}

void ilc__ast_sum_needs(ilc__ast_machine *machine)
{
    for (uint32_t i = 0; i < machine->count;) i = sum_cycle(machine, i);
}

ilc_status ilc__ast_compile(ilc__ast_machine *machine, const ilc__unit *unit, uint32_t index)
{
    const ilc__func *func = unit->funcs.items[index];
    compiler         c = {.arena = machine->arena, .unit = unit, .index = index, .code = &machine->codes[index],
                          .machine = machine};
    c.loops.arena = c.named.arena = machine->arena;
    c.code->func = func;
    for (uint32_t i = 0; i < func->vars.count; i++)
        if (func->vars.items[i]->is_pointer) machine->has_pointers = true;
    c.code->var_count = func->vars.count;
    c.code->const_count = consts_of(&func->body);
    c.code->consts = ILC__NEW_ARRAY(machine->arena, uint64_t, (size_t)c.code->const_count + 1);
    ILC__TRY(ilc__ast_place_slots(machine->ctx, machine->arena, c.code));
    c.top = c.code->frame = c.code->first_slot + c.code->slot_words;
    list(&c, &func->body);
    put(&c, (ilc__ast_insn){.what = ILC__AST_LEAVE});
    resolve_labels(&c);
    if (!c.broken) return ILC_OK;
    return ilc__fail(machine->ctx, ILC_INTERNAL, NULL, "%s: the tree had a call or an exit to nowhere", func->name);
}
