/* poly.c - expressions as polynomials (poly.h), and their values at a launch. */
#include "emit/poly.h"

static int compare(const ilc__term *a, const ilc__term *b)
{
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->symbols[i] != b->symbols[i]) return a->symbols[i] < b->symbols[i] ? -1 : 1;
    return 0;
}

static bool add_term(ilc__poly *to, const ilc__term *term)
{
    if (term->factor == 0) return true;
    uint32_t at = 0;
    while (at < to->count && compare(&to->terms[at], term) < 0) at++;
    if (at < to->count && compare(&to->terms[at], term) == 0) {
        if (__builtin_add_overflow(to->terms[at].factor, term->factor, &to->terms[at].factor)) return false;
        if (to->terms[at].factor) return true;
        to->count--;
        memmove(&to->terms[at], &to->terms[at + 1], (to->count - at) * sizeof *to->terms);
        return true;
    }
    if (to->count == ILC__POLY_TERMS) return false;
    memmove(&to->terms[at + 1], &to->terms[at], (to->count - at) * sizeof *to->terms);
    to->terms[at] = *term;
    to->count++;
    return true;
}

bool ilc__poly_add(ilc__poly *to, const ilc__poly *from, int64_t times)
{
    for (uint32_t i = 0; i < from->count; i++) {
        ilc__term term = from->terms[i];
        if (__builtin_mul_overflow(term.factor, times, &term.factor) || !add_term(to, &term)) return false;
    }
    return true;
}

bool ilc__poly_add_const(ilc__poly *to, int64_t value)
{
    return add_term(to, &(ilc__term){.factor = value});
}

static bool multiply_terms(const ilc__term *a, const ilc__term *b, ilc__term *out)
{
    *out = (ilc__term){.count = a->count + b->count};
    if (out->count > ILC__POLY_FACTORS || __builtin_mul_overflow(a->factor, b->factor, &out->factor)) return false;
    for (uint32_t i = 0, j = 0, n = 0; n < out->count; n++)
        out->symbols[n] = j == b->count || (i < a->count && a->symbols[i] <= b->symbols[j]) ? a->symbols[i++] : b->symbols[j++];
    return true;
}

static bool multiply(const ilc__poly *a, const ilc__poly *b, ilc__poly *out)
{
    *out = (ilc__poly){0};
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++) {
            ilc__term term;
            if (!multiply_terms(&a->terms[i], &b->terms[j], &term) || !add_term(out, &term)) return false;
        }
    return true;
}

static void be_symbol(ilc__poly *out, uint32_t symbol)
{
    *out = (ilc__poly){.count = 1, .terms = {{.factor = 1, .count = 1, .symbols = {symbol}}}};
}

static void be_part(ilc__poly *out, uint32_t param, uint32_t part)
{
    be_symbol(out, ILC__SYM_PARAM + ILC__SYM_PARTS * param + part);
}

/* The length of a parameter's array, or of one of its dimensions, asked where it raises nothing. */
static bool of_length(const ilc__expr *e, ilc__poly *out)
{
    const ilc__expr *array = e->args[0];
    if (array->kind != ILC__EX_VAR || !array->u.var->is_param || array->u.var->assignments > 1 || !(e->proved || e->covered)) return false;
    const ilc__var *var = array->u.var;
    uint32_t        rank = var->rank > 1 ? var->rank : 1;
    if (e->kind == ILC__EX_LEN && rank > 1) return false;
    if (rank == 1) return be_part(out, var->index, ILC__SYM_LENGTH), e->kind == ILC__EX_LEN || ilc__expr_is_const(e->args[1], 0);
    if (e->args[1]->kind != ILC__EX_CONST || e->args[1]->u.bits >= rank) return false;
    be_part(out, var->index, ILC__SYM_DIM + (uint32_t)e->args[1]->u.bits);
    return true;
}

static bool of_var(const ilc__poly_scope *scope, const ilc__var *var, ilc__poly *out)
{
    if (var == scope->counter) return be_symbol(out, ILC__SYM_COUNTER), true;
    if (!var->is_param) return scope->defined[var->index] && ilc__poly_of(scope, scope->defined[var->index], out);
    if (var->assignments > 1 || var->is_slot || var->is_array || var->is_addr) return false;
    for (uint32_t d = 0; d < scope->spec->index_count && d < 2; d++)
        if (scope->spec->index_params[d] == var->index) return be_symbol(out, d ? ILC__SYM_J : ILC__SYM_I), true;
    be_part(out, var->index, ILC__SYM_VALUE);
    return true;
}

/* A number of fewer bits, or one with a sign, is the same number in 64. */
static bool of_operation(const ilc__poly_scope *scope, const ilc__expr *e, ilc__poly *out)
{
    ilc__poly a, b;
    switch (e->op) {
    case ILC__OP_I64_I32:
        return e->args[0]->kind == ILC__EX_VAR && ilc__poly_of(scope, e->args[0], out);
    case ILC__OP_ADD_I32: case ILC__OP_ADD_I64: case ILC__OP_ADD_OVF_I32: case ILC__OP_ADD_OVF_I64:
        return ilc__poly_of(scope, e->args[0], out) && ilc__poly_of(scope, e->args[1], &b) && ilc__poly_add(out, &b, 1);
    case ILC__OP_SUB_I32: case ILC__OP_SUB_I64: case ILC__OP_SUB_OVF_I32: case ILC__OP_SUB_OVF_I64:
        return ilc__poly_of(scope, e->args[0], out) && ilc__poly_of(scope, e->args[1], &b) && ilc__poly_add(out, &b, -1);
    case ILC__OP_MUL_I32: case ILC__OP_MUL_I64: case ILC__OP_MUL_OVF_I32: case ILC__OP_MUL_OVF_I64:
        return ilc__poly_of(scope, e->args[0], &a) && ilc__poly_of(scope, e->args[1], &b) && multiply(&a, &b, out);
    default: return false;
    }
}

bool ilc__poly_of(const ilc__poly_scope *scope, const ilc__expr *expr, ilc__poly *out)
{
    *out = (ilc__poly){0};
    switch (expr->kind) {
    case ILC__EX_CONST:
        if (expr->type != ILC__IR_I32 && expr->type != ILC__IR_I64) return false;
        return ilc__poly_add_const(out, expr->type == ILC__IR_I32 ? (int32_t)expr->u.bits : (int64_t)expr->u.bits);
    case ILC__EX_VAR:
        return (expr->type == ILC__IR_I32 || expr->type == ILC__IR_I64) && of_var(scope, expr->u.var, out);
    case ILC__EX_OP: return of_operation(scope, expr, out);
    case ILC__EX_LEN: case ILC__EX_DIM: return of_length(expr, out);
    default: return false;
    }
}

bool ilc__poly_of_index(const ilc__poly_scope *scope, const ilc__expr *array, const ilc__expr *index, ilc__poly *out)
{
    if (index->kind != ILC__EX_SUBSCRIPTS) return ilc__poly_of(scope, index, out);
    *out = (ilc__poly){0};
    for (uint32_t k = 0; k < index->arg_count; k++) {
        ilc__poly dimension, sum, at;
        be_part(&dimension, array->u.var->index, ILC__SYM_DIM + k);
        if (!multiply(out, &dimension, &sum) || !ilc__poly_of(scope, index->args[k], &at) || !ilc__poly_add(&sum, &at, 1)) return false;
        *out = sum;
    }
    return true;
}

bool ilc__poly_same(const ilc__poly *a, const ilc__poly *b)
{
    for (uint32_t i = 0; i < a->count && i < b->count; i++)
        if (a->terms[i].factor != b->terms[i].factor || compare(&a->terms[i], &b->terms[i]) != 0) return false;
    return a->count == b->count;
}

bool ilc__poly_has(const ilc__poly *poly, uint32_t symbol)
{
    for (uint32_t i = 0; i < poly->count; i++)
        for (uint32_t k = 0; k < poly->terms[i].count; k++)
            if (poly->terms[i].symbols[k] == symbol) return true;
    return false;
}

bool ilc__poly_split(ilc__poly *poly, uint32_t symbol, ilc__poly *out)
{
    ilc__poly rest = {0};
    *out = (ilc__poly){0};
    for (uint32_t i = 0; i < poly->count; i++) {
        ilc__term term = poly->terms[i], without = {.factor = term.factor};
        for (uint32_t k = 0; k < term.count; k++)
            if (term.symbols[k] != symbol) without.symbols[without.count++] = term.symbols[k];
        if (without.count + 1 < term.count) return false;
        if (!add_term(without.count < term.count ? out : &rest, without.count < term.count ? &without : &term)) return false;
    }
    *poly = rest;
    return true;
}

bool ilc__poly_is_const(const ilc__poly *poly, int64_t value)
{
    if (poly->count == 0) return value == 0;
    return poly->count == 1 && poly->terms[0].count == 0 && poly->terms[0].factor == value;
}

static int64_t symbol_value(uint32_t symbol, const ilc__launch_facts *facts)
{
    uint32_t param = ilc__symbol_param(symbol), part = ilc__symbol_part(symbol);
    if (part == ILC__SYM_VALUE) return facts->scalars[param];
    return part == ILC__SYM_LENGTH ? facts->lengths[param] : facts->dims[3 * param + part - ILC__SYM_DIM];
}

bool ilc__poly_value(const ilc__poly *poly, const ilc__launch_facts *facts, int64_t *out)
{
    *out = 0;
    for (uint32_t i = 0; i < poly->count; i++) {
        int64_t value = poly->terms[i].factor;
        for (uint32_t k = 0; k < poly->terms[i].count; k++)
            if (__builtin_mul_overflow(value, symbol_value(poly->terms[i].symbols[k], facts), &value)) return false;
        if (__builtin_add_overflow(*out, value, out)) return false;
    }
    return true;
}
