/* tile_symmetric.c - does a turn give the element at (j, i) what it gives the one at (i, j)? (tile.h) Then half of the
 * elements need no turns of their own.
 *
 * The loop's body is evaluated twice over symbols, once as it is and once with the values that it loads by i and by j
 * exchanged; every different term is one node, in which + * And Or Xor = and the factors of a fused product forget the order
 * of their operands, and so does a difference of which only the absolute value or the square is taken. The cells start as constants, so what is the
 * same in every turn is the same in the end. */
#include "emit/tile.h"

enum { NO_NODE = 0, MAX_NODES = 4096 };
typedef enum term_kind { TERM_CONST, TERM_VAR, TERM_LOAD, TERM_OP, TERM_APART, TERM_AND, TERM_OR, TERM_NOT, TERM_SELECT } term_kind;

typedef struct term {
    uint32_t kind, what, type; /* what: operation, variable, load */
    uint32_t args[3];
    uint64_t bits;
} term;

typedef struct prover {
    ilc__emitter          *em;
    const ilc__tile_shape *shape;
    ilc__poly_scope        scope;
    uint32_t               partners[ILC__TILE_LOADS];
    ilc__map               nodes; /* term -> number */
    ILC__VEC(term) terms;         /* by number */
    uint32_t *values;             /* by variable: the node that it holds */
    ILC__VEC(uint32_t) raises;    /* nodes that may raise, each below the condition that leads there */
    uint32_t condition;           /* that leads here */
    bool     exchanged, gave_up;
} prover;

/* --- terms --------------------------------------------------------------------------------------------------------- */

static uint32_t node(prover *p, term t)
{
    uintptr_t found = (uintptr_t)ilc__map_get(&p->nodes, &t, sizeof t);
    if (found) return (uint32_t)found;
    if (p->terms.count == MAX_NODES) {
        p->gave_up = true;
        return NO_NODE;
    }
    if (p->terms.count == 0) ILC__PUSH(p->em->arena, &p->terms, (term){0}); /* NO_NODE */
    ILC__PUSH(p->em->arena, &p->terms, t);
    ilc__map_put(&p->nodes, ilc__arena_copy(p->em->arena, &t, sizeof t), sizeof t, (void *)(uintptr_t)(p->terms.count - 1));
    return p->terms.count - 1;
}

static void sort(uint32_t *a, uint32_t *b)
{
    if (*a <= *b) return;
    uint32_t first = *b;
    *b = *a;
    *a = first;
}

static bool is_difference(const prover *p, uint32_t number)
{
    const term *t = &p->terms.items[number];
    return t->kind == TERM_OP && (t->what == ILC__OP_SUB_F32 || t->what == ILC__OP_SUB_F64);
}

/* How far apart two floats are: x - y is -(y - x). */
static uint32_t apart(prover *p, uint32_t number)
{
    term t = p->terms.items[number];
    t.kind = TERM_APART;
    sort(&t.args[0], &t.args[1]);
    return node(p, t);
}

/* Without its minus signs; *negative is turned by each. */
static uint32_t magnitude(const prover *p, uint32_t number, uint64_t *negative)
{
    const term *t = &p->terms.items[number];
    for (; t->kind == TERM_OP && (t->what == ILC__OP_NEG_F32 || t->what == ILC__OP_NEG_F64); t = &p->terms.items[number]) {
        number = t->args[0];
        *negative ^= 1;
    }
    return number;
}

/* x * y + z, rounded once: the factors may change places, and the sign of the product may stand at either; z may not. */
static uint32_t fused(prover *p, const ilc__expr *e, const uint32_t *args)
{
    bool     first = e->op == ILC__OP_ADDMUL_F32 || e->op == ILC__OP_ADDMUL_F64; /* z is the first operand */
    uint64_t negative = 0;
    uint32_t x = magnitude(p, args[first ? 1 : 0], &negative), y = magnitude(p, args[first ? 2 : 1], &negative);
    if (x == y && is_difference(p, x)) x = y = apart(p, x);
    sort(&x, &y);
    return node(p, (term){.kind = TERM_OP, .what = e->type == ILC__IR_F32 ? ILC__OP_FMA_F32 : ILC__OP_FMA_F64, .type = e->type,
                          .args = {x, y, args[first ? 0 : 2]}, .bits = negative});
}

static uint32_t operation(prover *p, const ilc__expr *e, uint32_t a, uint32_t b)
{
    bool commutes = ilc__op_info_of(e->op)->flags & ILC__OPF_COMMUTES, absolute = e->op == ILC__OP_ABS_F32 || e->op == ILC__OP_ABS_F64;
    bool square = (e->op == ILC__OP_MUL_F32 || e->op == ILC__OP_MUL_F64) && a == b;
    if ((absolute || square) && is_difference(p, a)) {
        a = apart(p, a);
        if (square) b = a;
    }
    if (commutes) sort(&a, &b);
    return node(p, (term){.kind = TERM_OP, .what = e->op, .type = e->type, .args = {a, b}});
}

static bool may_raise(const ilc__expr *e)
{
    if (e->kind == ILC__EX_OP && ilc__op_info_of(e->op)->trap_count && !(e->proved || e->covered)) return true;
    for (uint32_t i = 0; e->kind != ILC__EX_LOAD && i < e->arg_count; i++)
        if (may_raise(e->args[i])) return true;
    return false;
}

static uint32_t evaluate(prover *p, const ilc__expr *e);

/* Evaluated only where `condition` leads. */
static uint32_t evaluate_below(prover *p, const ilc__expr *e, uint32_t condition)
{
    uint32_t above = p->condition;
    p->condition = node(p, (term){.kind = TERM_AND, .args = {above, condition}});
    uint32_t value = evaluate(p, e);
    p->condition = above;
    return value;
}

static uint32_t evaluate_load(prover *p, const ilc__expr *e)
{
    ilc__poly index;
    ilc__poly_of_index(&p->scope, e->args[0], e->args[1], &index);
    uint32_t load = (uint32_t)(ilc__tile_load_of(p->shape->loads, p->shape->load_count, &index, e->args[0]->u.var) - p->shape->loads);
    return node(p, (term){.kind = TERM_LOAD, .what = p->exchanged ? p->partners[load] : load});
}

static uint32_t evaluate(prover *p, const ilc__expr *e)
{
    uint32_t a, b, three[3];
    switch (e->kind) {
    case ILC__EX_CONST: return node(p, (term){.kind = TERM_CONST, .type = e->type, .bits = e->u.bits});
    case ILC__EX_VAR: return p->values[e->u.var->index];
    case ILC__EX_LOAD: return evaluate_load(p, e);
    case ILC__EX_OP:
        if (e->arg_count == 3) {
            for (uint32_t i = 0; i < 3; i++) three[i] = evaluate(p, e->args[i]);
            return fused(p, e, three);
        }
        a = evaluate(p, e->args[0]);
        b = e->arg_count > 1 ? evaluate(p, e->args[1]) : NO_NODE;
        a = operation(p, e, a, b);
        if (may_raise(e)) ILC__PUSH(p->em->arena, &p->raises, node(p, (term){.kind = TERM_AND, .args = {p->condition, a}}));
        return a;
    case ILC__EX_AND: case ILC__EX_OR:
        a = evaluate(p, e->args[0]);
        b = evaluate_below(p, e->args[1], e->kind == ILC__EX_AND ? a : node(p, (term){.kind = TERM_NOT, .args = {a}}));
        if (!may_raise(e)) sort(&a, &b);
        return node(p, (term){.kind = e->kind == ILC__EX_AND ? TERM_AND : TERM_OR, .args = {a, b}});
    case ILC__EX_NOT: return node(p, (term){.kind = TERM_NOT, .args = {evaluate(p, e->args[0])}});
    case ILC__EX_SELECT:
        a = evaluate(p, e->args[0]);
        b = evaluate_below(p, e->args[1], a);
        return node(p, (term){.kind = TERM_SELECT, .args = {a, b, evaluate_below(p, e->args[2], node(p, (term){.kind = TERM_NOT, .args = {a}}))}});
    default: p->gave_up = true; return NO_NODE;
    }
}

/* --- statements ------------------------------------------------------------------------------------------------------ */

static void run_block(prover *p, const ilc__block *block);

static void run_if(prover *p, const ilc__stmt *s)
{
    uint32_t count = p->shape->func->vars.count, above = p->condition, test = evaluate(p, s->a);
    uint32_t *before = ilc__arena_copy(p->em->arena, p->values, count * sizeof *before);
    p->condition = node(p, (term){.kind = TERM_AND, .args = {above, test}});
    run_block(p, &s->body);
    uint32_t *after = ilc__arena_copy(p->em->arena, p->values, count * sizeof *after);
    memcpy(p->values, before, count * sizeof *before);
    p->condition = node(p, (term){.kind = TERM_AND, .args = {above, node(p, (term){.kind = TERM_NOT, .args = {test}})}});
    run_block(p, &s->other);
    p->condition = above;
    for (uint32_t i = 0; i < count; i++)
        if (p->values[i] != after[i]) p->values[i] = node(p, (term){.kind = TERM_SELECT, .args = {test, after[i], p->values[i]}});
}

static void run_block(prover *p, const ilc__block *block)
{
    for (const ilc__stmt *s = block->first; s && !p->gave_up; s = s->next) {
        if (s->kind == ILC__ST_ASSIGN) p->values[s->var->index] = evaluate(p, s->a);
        else if (s->kind == ILC__ST_EVAL) evaluate(p, s->a);
        else if (s->kind == ILC__ST_IF) run_if(p, s);
        else p->gave_up = true;
    }
}

/* --- the proof --------------------------------------------------------------------------------------------------------- */

/* The subscript with the matrices of a row pair exchanged, which have the same columns where they are one. */
static bool mirror(const ilc__method *pair, const ilc__poly *from, ilc__poly *out)
{
    *out = (ilc__poly){0};
    for (uint32_t t = 0; t < from->count; t++) {
        ilc__poly one = {.count = 1, .terms = {from->terms[t]}};
        uint32_t *symbols = one.terms[0].symbols;
        for (uint32_t k = 0; k < one.terms[0].count; k++) {
            uint32_t param = symbols[k] < ILC__SYM_PARAM ? UINT32_MAX : ilc__symbol_param(symbols[k]), other = param;
            if (param == pair->rows[0]) other = pair->rows[1];
            else if (param == pair->rows[1]) other = pair->rows[0];
            if (other != param) symbols[k] = ILC__SYM_PARAM + ILC__SYM_PARTS * other + ilc__symbol_part(symbols[k]);
            for (uint32_t at = k; at && symbols[at] < symbols[at - 1]; at--) sort(&symbols[at - 1], &symbols[at]);
        }
        if (!ilc__poly_add(out, &one, 1)) return false;
    }
    return true;
}

/* The same places of the same array; or of the other matrix of a row pair. */
static bool are_partners(const prover *p, const ilc__tile_load *a, const ilc__tile_load *b, bool *one_matrix)
{
    const ilc__method *method = p->shape->func->method;
    ilc__poly          stride, start;
    if (a->by_j == b->by_j) return false;
    if (a->array == b->array) return ilc__poly_same(&a->stride, &b->stride) && ilc__poly_same(&a->start, &b->start);
    if (!method || method->row_count != 2) return false;
    uint32_t x = a->array->index, y = b->array->index;
    if (!((x == method->rows[0] && y == method->rows[1]) || (x == method->rows[1] && y == method->rows[0]))) return false;
    *one_matrix = true;
    return mirror(method, &a->stride, &stride) && mirror(method, &a->start, &start) && ilc__poly_same(&stride, &b->stride) && ilc__poly_same(&start, &b->start);
}

/* Every load by i has one by j of the same array at the same places, and the other way round. */
static bool pair_loads(prover *p, bool *one_matrix)
{
    for (uint32_t i = 0; i < p->shape->load_count; i++) {
        uint32_t k = 0;
        while (k < p->shape->load_count && !are_partners(p, &p->shape->loads[i], &p->shape->loads[k], one_matrix)) k++;
        if (k == p->shape->load_count) return false;
        p->partners[i] = k;
    }
    return true;
}

static bool same_set(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    for (uint32_t i = 0; i < a_count; i++) {
        uint32_t k = 0;
        while (k < b_count && b[k] != a[i]) k++;
        if (k == b_count) return false;
    }
    return true;
}

/* What the body leaves in each variable, of (i, j) or of (j, i). */
static uint32_t *run_turn(prover *p, bool exchanged)
{
    uint32_t count = p->shape->func->vars.count;
    p->exchanged = exchanged;
    p->values = ILC__NEW_ARRAY(p->em->arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) p->values[i] = node(p, (term){.kind = TERM_VAR, .what = i});
    p->condition = node(p, (term){.kind = TERM_CONST, .type = ILC__IR_I32, .bits = 1});
    run_block(p, &p->shape->loop->body);
    return p->values;
}

static bool no_half(const prover *p, const char *why)
{
    ilc__note_add(p->em, "symmetric", false, p->shape->loop, "all elements are computed: %s", why);
    return false;
}

static bool has_half(ilc__emitter *em, const ilc__tile_shape *shape, bool *one_matrix)
{
    prover p = {.em = em, .shape = shape, .nodes = {.arena = em->arena}};
    if (!shape->starts_constant) return no_half(&p, "what an element keeps from turn to turn does not begin as a constant");
    if (shape->reads_indices) return no_half(&p, "a turn reads i or j itself");
    if (!pair_loads(&p, one_matrix)) return no_half(&p, "what i selects and what j selects are not the same elements");
    p.scope = ilc__tile_scope(em, shape->func, shape->loop);
    const uint32_t *one = run_turn(&p, false);
    uint32_t        raises = p.raises.count;
    const uint32_t *other = run_turn(&p, true);
    if (p.gave_up) return no_half(&p, "a turn is too long to be proved");
    for (uint32_t i = 0; i < shape->func->vars.count; i++)
        if (shape->carried[i] && one[i] != other[i])
            return no_half(&p, ilc__arena_printf(em->arena, "a turn for (j, i) leaves another %s than one for (i, j)", shape->func->vars.items[i]->name));
    bool same = same_set(p.raises.items, raises, p.raises.items + raises, p.raises.count - raises) &&
                same_set(p.raises.items + raises, p.raises.count - raises, p.raises.items, raises);
    if (!same) return no_half(&p, "a turn for (j, i) may raise where one for (i, j) does not");
    ilc__note_add(em, "symmetric", true, shape->loop, "half of a square is computed%s: a turn for (j, i) does what one for (i, j) does",
                  *one_matrix ? " where both matrices are one" : "");
    return true;
}

void ilc__tile_find_half(ilc__emitter *em, ilc__tile_shape *shape)
{
    bool one_matrix = false;
    shape->symmetric = has_half(em, shape, &one_matrix);
    shape->one_matrix = shape->symmetric && one_matrix;
}

const char *ilc__tile_half_text(ilc__emitter *em, const ilc__tile_shape *shape, const ilc__func_info *root)
{
    const ilc__method *method = shape->func->method;
    if (!shape->one_matrix) return "il_nRows == il_nCols";
    uint32_t a = method->rows[0], b = method->rows[1];
    return ilc__arena_printf(em->arena, "il_nRows == il_nCols && %s == %s && %s == %s", root->var_names[a], root->var_names[b], root->len_names[3 * a + 1],
                             root->len_names[3 * b + 1]);
}
