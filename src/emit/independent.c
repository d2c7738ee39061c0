/* independent.c - do the elements of a kernel that stores keep out of each other's way (docs/semantics.md)?
 *
 * Proved in simple cases only: every access to an array that is stored to stands at the element's own place, a sum
 * of all its indices, each times integers that the launch gives, and of such integers: i, i * n + j, (i * m + j) * n + k,
 * i + 1, i - shift and the like.
 * The rest is refused, naming both lines; what depends on the launch (do such places meet with these extents and
 * integers, are two parameters one array) is asked there. */
#include "emit/internal.h"

enum { MAX_FACTORS = 4, MAX_TERMS = 32, MOST_NESTED = 2 };

typedef struct product {
    uint32_t         count;
    const ilc__expr *factors[MAX_FACTORS]; /* in an order of their own: equal products are equal lists */
    bool             taken_away;
} product;

enum { MAX_OFFSETS = 3 };

typedef struct coefficient { /* what one index is multiplied by */
    bool     present;
    product  by;
    uint32_t offset_count; /* what is added to the index's term, the same for all elements */
    product  offsets[MAX_OFFSETS];
} coefficient;

/* The element's own place. Of several subscripts those that hold an index tell elements apart; the others may be
 * anything. x(i)(k) has two: the last one is a place in an array, those before say in which. */
typedef struct shape {
    bool        own;
    coefficient dims[3];
    uint32_t    subscripts[3]; /* which one each index stands in */
    uint32_t    outer;         /* so many subscripts lead to an array in an array of arrays */
} shape;

typedef struct access {
    const ilc__var *array; /* NULL: some array, not known which */
    bool            store;
    shape           at;
    uint32_t        line, il;
} access;

typedef struct collector {
    ilc__arena             *arena;
    const ilc__func        *func;
    const ilc__kernel_spec *spec;
    const ilc__unit        *unit;
    const ilc__expr       **single; /* by variable: what its one assignment gives it, an array's, too */
    bool                   *stores; /* by function of the unit                       */
    bool                  **through; /* ilc__written_through                          */
    const ilc__stmt        *stmt;
    bool                    stores_only; /* what is read is not of interest yet               */
    ILC__VEC(access) list;
} collector;

/* --- the element's own place ------------------------------------------------------------------------------ */

/* Through widening and through locals that are assigned once. */
static const ilc__expr *resolve(const collector *c, const ilc__expr *expr)
{
    for (int turns = 0; turns < 16; turns++) {
        if (expr->kind == ILC__EX_OP && expr->op == ILC__OP_I64_I32) {
            expr = expr->args[0];
        } else if (expr->kind == ILC__EX_VAR && !expr->u.var->is_param && c->single[expr->u.var->index]) {
            expr = c->single[expr->u.var->index];
        } else {
            break;
        }
    }
    return expr;
}

/* The same of an array: a row that a local holds. */
static const ilc__expr *resolve_array(const collector *c, const ilc__expr *array)
{
    for (int turns = 0; turns < 16; turns++) {
        if (array->kind != ILC__EX_VAR || array->u.var->is_param || !c->single[array->u.var->index]) break;
        array = c->single[array->u.var->index];
    }
    return array;
}

static bool is_index(const collector *c, const ilc__expr *expr, uint32_t dim)
{
    expr = resolve(c, expr);
    return expr->kind == ILC__EX_VAR && expr->u.var->is_param && expr->u.var->assignments <= 1 &&
           expr->u.var->index == c->spec->index_params[dim];
}

static bool is_factor(const collector *c, const ilc__expr *expr)
{
    if (expr->kind == ILC__EX_CONST) return expr->type == ILC__IR_I32 || expr->type == ILC__IR_I64;
    if (expr->kind != ILC__EX_VAR || !expr->u.var->is_param || expr->u.var->is_array || expr->u.var->assignments > 1)
        return false;
    for (uint32_t d = 0; d < c->spec->index_count; d++)
        if (c->spec->index_params[d] == expr->u.var->index) return false;
    return true;
}

static bool is_sum(ilc__op op)
{
    return op == ILC__OP_ADD_I32 || op == ILC__OP_ADD_OVF_I32 || op == ILC__OP_ADD_I64 || op == ILC__OP_ADD_OVF_I64;
}

static bool is_product(ilc__op op)
{
    return op == ILC__OP_MUL_I32 || op == ILC__OP_MUL_OVF_I32 || op == ILC__OP_MUL_I64 || op == ILC__OP_MUL_OVF_I64;
}

static bool comes_before(const ilc__expr *a, const ilc__expr *b)
{
    if (a->kind != b->kind) return a->kind < b->kind;
    return a->kind == ILC__EX_CONST ? a->u.bits < b->u.bits : a->u.var->index < b->u.var->index;
}

static bool add_factor(product *to, const ilc__expr *factor)
{
    uint32_t at = to->count;
    if (factor->kind == ILC__EX_CONST && factor->u.bits == 1) return true;
    if (at == MAX_FACTORS) return false;
    for (; at > 0 && comes_before(factor, to->factors[at - 1]); at--) to->factors[at] = to->factors[at - 1];
    to->factors[at] = factor;
    to->count++;
    return true;
}

/* A product of factors alone, put to every product that is there. */
static bool multiply(const collector *c, const ilc__expr *expr, product *const *to, uint32_t count, uint32_t *budget)
{
    if (*budget == 0) return false;
    --*budget;
    expr = resolve(c, expr);
    if (expr->kind == ILC__EX_OP && is_product(expr->op))
        return multiply(c, expr->args[0], to, count, budget) && multiply(c, expr->args[1], to, count, budget);
    if (!is_factor(c, expr)) return false;
    for (uint32_t k = 0; k < count; k++)
        if (!add_factor(to[k], expr)) return false;
    return true;
}

static bool multiply_sum(const collector *c, const ilc__expr *expr, coefficient dims[3], uint32_t *budget)
{
    product *all[3 * (1 + MAX_OFFSETS)];
    uint32_t count = 0;
    for (uint32_t d = 0; d < 3; d++) {
        if (!dims[d].present) continue;
        all[count++] = &dims[d].by;
        for (uint32_t k = 0; k < dims[d].offset_count; k++) all[count++] = &dims[d].offsets[k];
    }
    return multiply(c, expr, all, count, budget);
}

static bool is_difference(ilc__op op)
{
    return op == ILC__OP_SUB_I32 || op == ILC__OP_SUB_OVF_I32 || op == ILC__OP_SUB_I64 || op == ILC__OP_SUB_OVF_I64;
}

/* What is the same for all elements goes with the first index that is there. */
static bool add_offset(const collector *c, const ilc__expr *expr, bool taken_away, coefficient dims[3], uint32_t *budget)
{
    coefficient *to = dims;
    while (!to->present) to++;
    expr = resolve(c, expr);
    bool is_difference_of_two = expr->kind == ILC__EX_OP && is_difference(expr->op);
    if (is_difference_of_two || (expr->kind == ILC__EX_OP && is_sum(expr->op)))
        return *budget && (--*budget, add_offset(c, expr->args[0], taken_away, dims, budget)) &&
               add_offset(c, expr->args[1], taken_away != is_difference_of_two, dims, budget);
    if (to->offset_count == MAX_OFFSETS) return false;
    product *made = &to->offsets[to->offset_count++];
    *made = (product){.taken_away = taken_away};
    return multiply(c, expr, &made, 1, budget);
}

static bool is_param(const collector *c, const ilc__expr *expr, uint32_t param)
{
    expr = resolve(c, expr);
    return expr->kind == ILC__EX_VAR && expr->u.var->is_param && expr->u.var->assignments <= 1 && expr->u.var->index == param;
}

/* The index, or, where it is counted from a parameter (il/instance.h), the sum of both: that takes part in places as the
 * index itself would. */
static bool is_counted_index(const collector *c, const ilc__expr *expr, uint32_t dim)
{
    const ilc__method *method = c->func->method;
    uint32_t           param = c->spec->index_params[dim];
    for (uint32_t i = 0; method && i < method->counted_count; i++) {
        if (method->counted[i] != param) continue;
        uint32_t start = method->sig.param_count - method->counted_count + i;
        expr = resolve(c, expr);
        return expr->kind == ILC__EX_OP && is_sum(expr->op) &&
               ((is_param(c, expr->args[0], param) && is_param(c, expr->args[1], start)) ||
                (is_param(c, expr->args[0], start) && is_param(c, expr->args[1], param)));
    }
    return is_index(c, expr, dim);
}

static bool is_linear(const collector *c, const ilc__expr *expr, coefficient out[3], uint32_t *budget);

/* A sum of two such sums, or of one and of what is the same for all elements, which may also be taken away. */
static bool is_sum_of(const collector *c, const ilc__expr *expr, coefficient out[3], uint32_t *budget)
{
    coefficient other[3] = {0};
    bool        first = is_linear(c, expr->args[0], out, budget), second = is_linear(c, expr->args[1], other, budget);
    if (is_difference(expr->op)) return first && !second && add_offset(c, expr->args[1], true, out, budget);
    if (!first) memcpy(out, other, sizeof other);
    if (first != second) return add_offset(c, expr->args[first ? 1 : 0], false, out, budget);
    if (!first) return false;
    for (uint32_t d = 0; d < 3; d++) {
        if (other[d].present && out[d].present) return false;
        if (other[d].present) out[d] = other[d];
    }
    return true;
}

/* Is the expression a sum of indices times factors, each index once, and of what is the same for all elements? The budget
 * bounds the recursion. */
static bool is_linear(const collector *c, const ilc__expr *expr, coefficient out[3], uint32_t *budget)
{
    if (*budget == 0) return false;
    --*budget;
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t d = 0; d < c->spec->index_count; d++)
        if (is_counted_index(c, expr, d)) return out[d].present = true;
    expr = resolve(c, expr);
    if (expr->kind != ILC__EX_OP) return false;
    if (is_sum(expr->op) || is_difference(expr->op)) return is_sum_of(c, expr, out, budget);
    for (int side = 0; side < 2 && is_product(expr->op); side++)
        if (is_linear(c, expr->args[side], out, budget)) return multiply_sum(c, expr->args[1 - side], out, budget);
    return false;
}

/* A subscript that is a sum of indices which no earlier one holds. */
static void add_subscript(const collector *c, const ilc__expr *expr, uint32_t number, shape *s)
{
    coefficient dims[3] = {0};
    uint32_t    budget = MAX_TERMS;
    if (!is_linear(c, expr, dims, &budget)) return;
    for (uint32_t d = 0; d < 3; d++)
        if (dims[d].present && s->dims[d].present) return;
    for (uint32_t d = 0; d < 3; d++) {
        if (!dims[d].present) continue;
        s->dims[d] = dims[d];
        s->subscripts[d] = number;
    }
}

/* Where all subscripts have been looked at: does each index stand in one? */
static void settle_shape(const collector *c, shape *s)
{
    s->own = c->spec->index_count != 0;
    for (uint32_t d = 0; d < c->spec->index_count; d++) s->own = s->own && s->dims[d].present;
    if (s->own) return;
    uint32_t outer = s->outer;
    *s = (shape){.outer = outer};
}

/* The subscripts of a place from number `first` on. */
static void add_index(const collector *c, const ilc__expr *index, uint32_t first, shape *s)
{
    if (index->kind == ILC__EX_SUBSCRIPTS)
        for (uint32_t k = 0; k < index->arg_count; k++) add_subscript(c, index->args[k], first + k, s);
    else add_subscript(c, index, first, s);
}

static shape shape_of(const collector *c, const ilc__expr *index)
{
    shape s = {0};
    add_index(c, index, 0, &s);
    settle_shape(c, &s);
    return s;
}

static bool same_factor(const ilc__expr *a, const ilc__expr *b)
{
    return a->kind == b->kind && (a->kind == ILC__EX_CONST ? a->u.bits == b->u.bits : a->u.var == b->u.var);
}

static bool same_product(const product *x, const product *y)
{
    if (x->taken_away != y->taken_away || x->count != y->count) return false;
    for (uint32_t f = 0; f < x->count; f++)
        if (!same_factor(x->factors[f], y->factors[f])) return false;
    return true;
}

static bool same_coefficient(const coefficient *x, const coefficient *y)
{
    if (!same_product(&x->by, &y->by) || x->offset_count != y->offset_count) return false;
    for (uint32_t k = 0; k < x->offset_count; k++)
        if (!same_product(&x->offsets[k], &y->offsets[k])) return false;
    return true;
}

static bool same_place(const access *a, const access *b)
{
    if (!a->at.own || !b->at.own || a->at.outer != b->at.outer) return false;
    for (uint32_t d = 0; d < 3; d++) {
        const coefficient *x = &a->at.dims[d], *y = &b->at.dims[d];
        if (a->at.subscripts[d] != b->at.subscripts[d] || !same_coefficient(x, y)) return false;
    }
    return true;
}

/* --- collecting ------------------------------------------------------------------------------------------- */

/* Null is nobody's: an access to it raises. */
static bool is_ones_own(const ilc__expr *array)
{
    while (array->kind == ILC__EX_SPANOF || array->kind == ILC__EX_SPAN) array = array->args[0];
    if (array->kind == ILC__EX_SPANAT) return ilc__addr_root(array->args[0])->kind == ILC__EX_SLOTADDR;
    return array->kind == ILC__EX_CONST || ilc__is_own_array(array);
}

static void push_access(collector *c, const ilc__expr *array, bool is_store, shape at, uint32_t il, bool has_il)
{
    if (c->stores_only && !is_store) return;
    bool   fixed = array->kind == ILC__EX_VAR && array->u.var->is_param && array->u.var->assignments <= 1;
    access a = {fixed ? array->u.var : NULL, is_store, at, c->stmt->line, has_il ? il : c->stmt->il};
    if (c->func->place && has_il) {
        uint32_t line = ilc__debug_line(c->func->place, il, NULL);
        if (line) a.line = line;
    }
    ILC__PUSH(c->arena, &c->list, a);
}

/* Somewhere in an array; of index NULL anywhere. An array that lies in another is reached by the subscripts that lead
 * to it: x(i)(k). */
static void add_access(collector *c, const ilc__expr *array, bool is_store, const ilc__expr *index, uint32_t il, bool has_il)
{
    const ilc__expr *path[MOST_NESTED + 1];
    uint32_t         depth = 0;
    shape            at = {0};
    if (is_ones_own(array) || (c->stores_only && !is_store)) return; /* each element has its own */
    for (array = resolve_array(c, array); array->kind == ILC__EX_SPANOF || array->kind == ILC__EX_SPAN; array = resolve_array(c, array->args[0]))
        if (array->kind == ILC__EX_SPAN) index = NULL; /* somewhere in it */
    if (is_ones_own(array)) return;
    for (array = resolve_array(c, array); array->kind == ILC__EX_LOAD && depth < MOST_NESTED; array = resolve_array(c, array->args[0]))
        path[depth++] = array->args[1];
    at.outer = depth;
    for (uint32_t k = depth; k-- > 0;) add_subscript(c, path[k], depth - 1 - k, &at);
    if (index) add_index(c, index, depth, &at);
    settle_shape(c, &at);
    push_access(c, array, is_store, at, il, has_il);
}

/* A pointer parameter that is never set: an array. */
static bool is_pointer(const ilc__expr *addr)
{
    return addr->kind == ILC__EX_VAR && addr->u.var->is_param && addr->u.var->is_pointer && addr->u.var->assignments <= 1;
}

static bool is_moved(const ilc__expr *addr)
{
    while (addr->kind == ILC__EX_FIELDADDR) addr = addr->args[0];
    return addr->kind == ILC__EX_ADDADDR;
}

/* Of an element of such an array that is accessed as its own type; NULL else. */
static const ilc__expr *pointer_index(const collector *c, const ilc__expr *addr)
{
    if (addr->kind != ILC__EX_ADDADDR || addr->layout || !is_pointer(addr->args[0])) return NULL;
    const ilc__expr *bytes = resolve(c, addr->args[1]);
    uint32_t         size = ilc_storage_size(addr->storage);
    if (addr->args[0]->u.var->layout || ilc_storage_size(addr->args[0]->u.var->storage) != size) return NULL;
    return ilc__bytes_index(bytes, size);
}

static void add_address(collector *c, const ilc__expr *addr, bool is_store);

/* A by-ref result is of what the call was given. */
static void add_result(collector *c, const ilc__expr *call, bool is_store)
{
    for (uint32_t i = 0; i < call->arg_count; i++) {
        const ilc__expr *arg = call->args[i];
        if (arg->type == ILC__IR_ADDR) add_address(c, arg, is_store);
        else if (arg->type == ILC__IR_REF) add_access(c, arg, is_store, NULL, call->il, call->has_il);
    }
}

/* The access to the element that an address is of, or in. Where a struct result goes is the element's own; another
 * by-ref parameter of the root points anywhere, but for an element-wise kernel's: to the element. A local address points to what was collected where it was set. */
static void add_address(collector *c, const ilc__expr *addr, bool is_store)
{
    const ilc__expr *root = ilc__addr_root(addr), *index = pointer_index(c, addr);
    if (root->kind == ILC__EX_CALL) {
        add_result(c, root, is_store);
        return;
    }
    const ilc__var  *var = root->kind == ILC__EX_VAR ? root->u.var : NULL;
    ilc__expr        any = {.kind = ILC__EX_CONST, .type = ILC__IR_REF};
    if (index)
        push_access(c, addr->args[0], is_store, shape_of(c, index), addr->il, addr->has_il);
    else if (root->kind == ILC__EX_DATAADDR)
        add_access(c, root->args[0], is_store, NULL, root->il, root->has_il);
    else if (root->kind == ILC__EX_ELEMADDR)
        add_access(c, root->args[0], is_store, is_moved(addr) ? NULL : root->args[1], root->il, root->has_il);
    else if (is_pointer(root)) /* anywhere in its array */
        push_access(c, root, is_store, (shape){0}, addr->il, addr->has_il);
    else if (var ? var->is_param && !ilc__is_result(c->func, var) && (var->is_pointer || c->spec->mode != ILC__MODE_ELEMENTWISE)
                 : root->kind != ILC__EX_SLOTADDR && root->kind != ILC__EX_CONST)
        push_access(c, &any, is_store, (shape){0}, addr->il, addr->has_il);
}

static bool writes_through(const collector *c, const ilc__func *func, uint32_t param)
{
    const bool *written = ilc__written_in(c->unit, c->through, func);
    return !written || written[param];
}

/* What a local address is made to point to is stored to where anything is stored to through one; a pointer may move
 * from there. */
static void add_assigned(collector *c, const ilc__stmt *stmt)
{
    uint32_t first = c->list.count;
    add_address(c, stmt->a, writes_through(c, c->func, stmt->var->index));
    for (uint32_t i = first; stmt->var->is_pointer && i < c->list.count; i++) c->list.items[i].at = (shape){0};
}

typedef struct store_query {
    const collector *c;
    const bool      *through; /* of the function walked */
    bool             found;
} store_query;

static bool is_of_element(const ilc__expr *addr)
{
    const ilc__expr *root = ilc__addr_root(addr);
    if (root->kind == ILC__EX_VAR) return root->u.var->is_pointer;
    if (root->kind == ILC__EX_ELEMADDR && is_ones_own(root->args[0])) return false;
    return root->kind != ILC__EX_SLOTADDR;
}

/* Does the statement write through an address that it makes of an element, or hand it on to what does? */
static bool stores_to_element(const ilc__stmt *stmt, const bool *through)
{
    bool stores = ilc__writes_memory(stmt) || (stmt->kind == ILC__ST_ASSIGN && stmt->var->is_addr && through[stmt->var->index]);
    return stores && is_of_element(stmt->a);
}

static bool callee_stores(const collector *c, const ilc__func *func)
{
    uint32_t number = ilc__func_number(c->unit, func);
    return number == UINT32_MAX || c->stores[number];
}

static void query_call(void *user, const ilc__expr *expr)
{
    store_query *q = user;
    if (expr->kind != ILC__EX_CALL) return;
    if (callee_stores(q->c, expr->u.callee)) q->found = true;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (expr->args[i]->type == ILC__IR_ADDR && is_of_element(expr->args[i]) &&
            writes_through(q->c, expr->u.callee, i))
            q->found = true;
}

static void query_store(void *user, const ilc__stmt *stmt)
{
    store_query *q = user;
    if ((stmt->kind == ILC__ST_STORE && !is_ones_own(stmt->a)) || stores_to_element(stmt, q->through)) q->found = true;
    ilc__stmt_exprs(stmt, query_call, q);
}

/* Which functions store, themselves or through what they call; callees come first in a unit. */
static void find_stores(collector *c)
{
    uint32_t count = c->unit->funcs.count;
    c->stores = ILC__NEW_ARRAY(c->arena, bool, count + 1);
    for (bool more = true; more;) { /* a second time for cycles, where a callee may stand behind its caller */
        more = false;
        for (uint32_t i = 0; i < count; i++) {
            store_query q = {c, c->through[i], false};
            ilc__block_each(&c->unit->funcs.items[i]->body, query_store, &q);
            more = more || (q.found != c->stores[i] && c->unit->funcs.items[i]->cycle);
            c->stores[i] = q.found;
        }
    }
}

static void collect_expr(void *user, const ilc__expr *expr)
{
    collector *c = user;
    /* an array out of an array of arrays: nothing stores there */
    if (expr->kind == ILC__EX_LOAD && expr->type != ILC__IR_REF) add_access(c, expr->args[0], false, expr->args[1], expr->il, expr->has_il);
    if (expr->kind == ILC__EX_LOADIND) add_address(c, expr->args[0], false);
    if (expr->kind != ILC__EX_CALL) return;
    bool stores = callee_stores(c, expr->u.callee);
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (expr->args[i]->type == ILC__IR_ADDR)
            add_address(c, expr->args[i], writes_through(c, expr->u.callee, i));
        else if (expr->args[i]->type == ILC__IR_REF) add_access(c, expr->args[i], stores, NULL, expr->il, expr->has_il);
}

static void collect_stmt(void *user, const ilc__stmt *stmt)
{
    collector *c = user;
    c->stmt = stmt;
    ilc__stmt_exprs(stmt, collect_expr, c);
    if (ilc__writes_memory(stmt)) add_address(c, stmt->a, true);
    if (stmt->kind == ILC__ST_ASSIGN && stmt->var->is_addr) add_assigned(c, stmt);
    if (stmt->kind == ILC__ST_COPYMEM || stmt->kind == ILC__ST_COPYBYTES) add_address(c, stmt->b, false);
    if (stmt->kind == ILC__ST_STORE) add_access(c, stmt->a, true, stmt->b, stmt->il, stmt->has_il);
}

static void note_single(void *user, const ilc__stmt *stmt)
{
    collector *c = user;
    if (stmt->kind == ILC__ST_ASSIGN && !stmt->var->is_param && !stmt->var->is_addr && !stmt->var->needs_zero &&
        stmt->var->assignments == 1)
        c->single[stmt->var->index] = stmt->a;
}

static collector collect(ilc__arena *arena, const ilc__unit *unit, const ilc__kernel_spec *spec)
{
    collector c = {.arena = arena, .unit = unit, .spec = spec, .func = unit->funcs.items[unit->funcs.count - 1]};
    c.single = ILC__NEW_ARRAY(arena, const ilc__expr *, c.func->vars.count + 1);
    c.through = ilc__written_through(arena, unit);
    find_stores(&c);
    ilc__block_each(&c.func->body, note_single, &c);
    c.stores_only = true;
    ilc__block_each(&c.func->body, collect_stmt, &c);
    c.stores_only = false;
    if (c.list.count == 0) return c; /* most kernels: they return their value */
    c.list.count = 0;
    ilc__block_each(&c.func->body, collect_stmt, &c);
    return c;
}

/* --- judging ---------------------------------------------------------------------------------------------- */

/* Do elements differ in which array of an array of arrays they touch? */
static bool differs_outside(const collector *c, const shape *at, const ilc__launch_facts *facts)
{
    for (uint32_t d = 0; d < c->spec->index_count; d++)
        if (facts->extents[d] > 1 && at->subscripts[d] < at->outer) return true;
    return false;
}

/* One array that lies there twice is met from both places. */
static bool meets_twice(const collector *c, const access *stored, const ilc__launch_facts *facts)
{
    return facts->twice && facts->twice[stored->array->index] && differs_outside(c, &stored->at, facts);
}

static const char *spot_text(ilc__arena *arena, const access *a)
{
    return a->line ? ilc__arena_printf(arena, "line %u", a->line) : ilc__arena_printf(arena, "IL_%04x", a->il);
}

/* facts: of the launch, or NULL. */
static ilc_status refuse(ilc__context *ctx, const collector *c, const access *stored, const access *other,
                         const ilc__launch_facts *facts)
{
    ilc__where where = {.method = c->func->name};
    if (c->func->place) where = ilc__method_where(c->func->method, stored->il);
    where.has_il = false;
    const char *when = facts ? " with these extents and arguments" : "";
    if (stored == other && facts && stored->array && meets_twice(c, stored, facts))
        return ilc__fail(ctx, ILC_UNSUPPORTED, &where,
                         "elements could not be proved independent%s: the store at %s may meet itself, as one array lies in '%s' twice",
                         when, spot_text(c->arena, stored), stored->array->name);
    if (stored == other)
        return ilc__fail(ctx, ILC_UNSUPPORTED, &where, "elements could not be proved independent%s: the store at %s %s", when,
                         spot_text(c->arena, stored),
                         stored->at.own ? "may meet itself in another element" : "is not at the element's own place");
    return ilc__fail(ctx, ILC_UNSUPPORTED, &where,
                     "elements could not be proved independent%s: the store at %s may touch what %s %s in another element",
                     when, spot_text(c->arena, stored), spot_text(c->arena, other), other->store ? "stores" : "reads");
}

static bool may_be_same(const access *a, const access *b)
{
    return !a->array || !b->array || a->array == b->array;
}

/* Stores to one array at one place meet the same accesses: it is enough to look at the first of them. An access
 * that may be to any array has no such first one. */
static bool is_first(const access **first, const access *stored)
{
    if (!stored->array) return true;
    const access **seen = &first[stored->array->index];
    if (*seen && stored->at.own && same_place(*seen, stored)) return false;
    *seen = stored;
    return true;
}

ilc_status ilc__check_independent(ilc__context *ctx, ilc__arena *scratch, const ilc__unit *unit, const ilc__kernel_spec *spec)
{
    if (spec->mode == ILC__MODE_DEVICE) return ILC_OK; /* one element */
    collector      c = collect(scratch, unit, spec);
    const access **first = ILC__NEW_ARRAY(scratch, const access *, (size_t)c.func->param_count + 1);
    for (uint32_t s = 0; s < c.list.count; s++) {
        const access *stored = &c.list.items[s];
        if (!stored->store || !is_first(first, stored)) continue;
        const access *blamed = stored->at.own ? NULL : stored;
        for (uint32_t o = 0; o < c.list.count; o++) {
            const access *other = &c.list.items[o];
            if (o != s && may_be_same(stored, other) && !same_place(stored, other)) blamed = other;
        }
        if (blamed) return refuse(ctx, &c, stored, blamed, NULL);
    }
    return ILC_OK;
}

/* --- at a launch ------------------------------------------------------------------------------------------ */

static int64_t value_of(const ilc__expr *factor, const ilc__launch_facts *facts)
{
    if (factor->kind == ILC__EX_VAR) return facts->scalars[factor->u.var->index];
    return factor->type == ILC__IR_I32 ? (int32_t)(uint32_t)factor->u.bits : (int64_t)factor->u.bits;
}

/* The sizes of an index's stride and of the largest value on the way to its product; false: too large to tell. */
static bool find_stride(const product *by, const ilc__launch_facts *facts, int64_t last, uint64_t *stride, uint64_t *reach)
{
    *stride = 1;
    *reach = (uint64_t)last;
    for (uint32_t f = 0; f < by->count; f++) {
        int64_t  value = value_of(by->factors[f], facts);
        uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
        if (size > INT32_MAX) return false;
        *stride *= size;
        *reach *= size ? size : 1;
        if (*reach > INT32_MAX) return false; /* and so is each stride, as last is 1 or more */
    }
    return true;
}

/* Does i * n + j, for all i and j of the launch, meet each place once? When each stride is larger than what the
 * smaller ones reach together, and nothing wraps. An index of one value only takes no part: it is 0. */
static bool is_injective_in(const collector *c, const shape *at, const ilc__launch_facts *facts, uint32_t subscript)
{
    uint64_t strides[3], widths[3], reach = 0, total = 0;
    uint32_t count = 0;
    for (uint32_t d = 0; d < c->spec->index_count; d++) {
        int64_t  last = facts->extents[d] - 1;
        uint64_t stride, term;
        if (last <= 0 || at->subscripts[d] != subscript) continue;
        if (last > INT32_MAX || !find_stride(&at->dims[d].by, facts, last, &stride, &term)) return false;
        reach += term;
        uint32_t to = count++;
        for (; to > 0 && strides[to - 1] > stride; to--) {
            strides[to] = strides[to - 1];
            widths[to] = widths[to - 1];
        }
        strides[to] = stride;
        widths[to] = stride * (uint64_t)last;
    }
    if (reach > INT32_MAX) return false;
    for (uint32_t d = 0; d < count; d++) {
        if (strides[d] <= total) return false;
        total += widths[d];
    }
    return true;
}

static bool is_injective(const collector *c, const access *stored, const ilc__launch_facts *facts)
{
    for (uint32_t k = 0; k < 3; k++)
        if (!is_injective_in(c, &stored->at, facts, k)) return false;
    return !meets_twice(c, stored, facts);
}

/* Are the arrays, or what lies in them, apart, or one object where one place is the same place? */
static bool keep_apart(const collector *c, const access *stored, const access *other, const ilc__launch_facts *facts)
{
    if (!other->array) return false;
    size_t pair = (size_t)stored->array->index * c->func->param_count + other->array->index;
    bool   is_one = other->array == stored->array || (facts->same && facts->same[pair]);
    bool   is_shared = !is_one && facts->shared && facts->shared[pair];
    if (!is_one && !is_shared) return true;
    return same_place(stored, other) && (is_one || !differs_outside(c, &stored->at, facts));
}

/* An access that may meet the stored one in another element; NULL: none. */
static const access *find_conflict(const collector *c, const access *stored, const ilc__launch_facts *facts)
{
    if (!stored->at.own || !stored->array) return stored;
    for (uint32_t o = 0; o < c->list.count; o++) {
        const access *other = &c->list.items[o];
        if (other != stored && !keep_apart(c, stored, other, facts)) return other;
    }
    return is_injective(c, stored, facts) ? NULL : stored;
}

ilc_status ilc__check_independent_at(ilc__context *ctx, ilc__arena *scratch, const ilc__unit *unit, const ilc__kernel_spec *spec,
                                     const ilc__launch_facts *facts)
{
    if (spec->mode == ILC__MODE_DEVICE) return ILC_OK;
    collector      c = collect(scratch, unit, spec);
    const access **first = ILC__NEW_ARRAY(scratch, const access *, (size_t)c.func->param_count + 1);
    for (uint32_t s = 0; s < c.list.count; s++) {
        const access *stored = &c.list.items[s];
        const access *other = stored->store && is_first(first, stored) ? find_conflict(&c, stored, facts) : NULL;
        if (other) return refuse(ctx, &c, stored, other, facts);
    }
    return ILC_OK;
}
