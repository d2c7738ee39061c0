/* array.c - arrays in text: their pointer and lengths, the place of an element, the tests before it is
 * touched. An array of two or three dimensions has a length for each and lies row after row; an array of
 * arrays holds il_array pairs (docs/memory.md, Arrays). */
#include "emit/internal.h"

uint32_t ilc__rank_of(const ilc__var *var)
{
    return var->rank > 1 ? var->rank : 1;
}

const char *ilc__element_type(ilc__emitter *em, const ilc__var *array)
{
    return array->nested ? "il_array" : ilc__target_type(em, array->storage, array->layout);
}

/* --- an array's pointer and lengths
 * --------------------------------------------------------------------------- */

/* What array an expression is; NULL elements for the null constant alone. */
typedef struct array_kind {
    ilc_storage        storage;
    const ilc__layout *layout;
    uint32_t           rank, nested;
} array_kind;

static array_kind kind_of(const ilc__expr *array)
{
    if (array->kind == ILC__EX_VAR) {
        const ilc__var *var = array->u.var;
        return (array_kind){var->storage, var->layout, ilc__rank_of(var), var->nested};
    }
    if (array->kind == ILC__EX_NEWARR) return (array_kind){array->u.var->storage, array->u.var->layout, 1, 0};
    if (array->kind == ILC__EX_CALL) {
        const ilc__ir_var *result = array->u.callee->ret_array;
        return (array_kind){result->storage, result->layout, 1, result->nested};
    }
    if (array->kind == ILC__EX_LOAD) return (array_kind){array->storage, array->layout, 1, array->nested};
    if (ilc__is_span_made(array)) return (array_kind){array->storage, array->layout, 1, 0};
    for (uint32_t i = 1; array->kind == ILC__EX_SELECT && i < array->arg_count; i++) {
        array_kind kind = kind_of(array->args[i]);
        if (kind.rank) return kind;
    }
    return (array_kind){ILC_VOID, NULL, 0, 0};
}

static const char *type_of(ilc__printer *p, const ilc__expr *array)
{
    array_kind kind = kind_of(array);
    return kind.nested ? "il_array" : ilc__target_type(p->em, kind.storage, kind.layout);
}

static void select_array(ilc__printer *p, const ilc__expr *expr, ilc__array_text *out)
{
    ilc__piece  cond = ilc__expr_print(p, expr->args[0]);
    uint32_t    rank = kind_of(expr).rank;
    const char *quals = p->info->aliased && p->info->stores ? "" : "const ";
    out->pointer = ilc__temp(p, ilc__print(p, "%s%s *", quals, type_of(p, expr)), "0").text;
    for (uint32_t k = 0; k == 0 || k < rank; k++)
        out->lengths[k] = ilc__temp(p, "long long", "-1").text;
    ilc__line_out(p, "if (%s) {", cond.text);
    for (int arm = 1; arm <= 2; arm++) {
        ilc__array_text from;
        p->indent++;
        ilc__array_print(p, expr->args[arm], true, &from);
        ilc__line_out(p, "%s = %s;", out->pointer, from.pointer);
        for (uint32_t k = 0; k == 0 || k < rank; k++)
            ilc__line_out(p, "%s = %s;", out->lengths[k], from.lengths[k]);
        p->indent--;
        ilc__line_out(p, arm == 1 ? "} else {" : "}");
    }
}

/* An array out of another: what the pair says now, as a store may change neither. */
static void inner_array(ilc__printer *p, const ilc__expr *expr, ilc__array_text *out)
{
    const char *type = type_of(p, expr), *place = ilc__element_print(p, expr, "il_array").text;
    out->pointer =
        ilc__temp(p, ilc__print(p, "%s *", type), ilc__print(p, "(%s *)%s.data", type, place)).text;
    out->lengths[0] = ilc__temp(p, "long long", ilc__print(p, "%s.length", place)).text;
}

/* In memory of the call's; a length that is negative raises, and so does too much memory, in a way of its own. */
static void new_dynamic(ilc__printer *p, const ilc__expr *expr, ilc__array_text *out)
{
    ilc__piece  count = ilc__expr_print(p, expr->args[0]);
    const char *type = type_of(p, expr);
    if (!count.leaf) count = ilc__temp(p, ilc__c_stack_type(expr->args[0]->type), count.text);
    p->info->traps = true;
    if (expr->args[0]->kind != ILC__EX_CONST || (int64_t)expr->args[0]->u.bits < 0)
        ilc__trap_test(p, ilc__print(p, "%s < 0", ilc__piece_at(p, count, ILC__PREC_REL)), ilc__site_known(p, ILC__EXC_OVERFLOW, expr->il, expr->has_il));
    out->pointer = ilc__temp(p, ilc__print(p, "%s *", type), ilc__print(p, "(%s *)il_new(il_at, %s, sizeof(%s))", type, count.text, type)).text;
    ilc__line_out(p, "if (il_at->failed) %s", ilc__trap_return(p));
    out->lengths[0] = ilc__print(p, "(long long)%s", ilc__piece_at(p, count, ILC__PREC_UNARY));
}

static void called_array(ilc__printer *p, const ilc__expr *call, ilc__array_text *out)
{
    const char *pair = ilc__call_print(p, call).text;
    out->pointer = ilc__print(p, "((%s *)%s.data)", type_of(p, call), pair);
    out->lengths[0] = ilc__print(p, "%s.length", pair);
}

void ilc__return_array(ilc__printer *p, const ilc__expr *array)
{
    ilc__array_text text;
    ilc__array_print(p, array, true, &text);
    ilc__line_out(p, "return il_array_of(%s, %s);", text.pointer, text.lengths[0]);
}

/* Its memory is the function's own. */
static void new_array(ilc__printer *p, const ilc__expr *expr, ilc__array_text *out)
{
    const char *name = p->info->var_names[expr->u.var->index];
    if (expr->u.var->table) {
        out->pointer = ilc__static_name(p->em, expr->u.var->table);
        out->lengths[0] = ilc__print(p, "%uLL", expr->u.var->count);
        return;
    }
    if (expr->u.var->is_dynamic) {
        new_dynamic(p, expr, out);
        return;
    }
    ilc__piece  count = ilc__expr_print(p, expr->args[0]);
    if (!count.leaf) count = ilc__temp(p, "int", count.text);
    if (expr->u.var->count)
        ilc__line_out(p, "for (int il_k = 0; il_k < %s; il_k++) %s[il_k] = 0;", count.text, name);
    out->pointer = name;
    out->lengths[0] = ilc__print(p, "(long long)%s", count.text);
}

bool ilc__is_span_made(const ilc__expr *array)
{
    return array->kind == ILC__EX_SPANOF || array->kind == ILC__EX_SPAN || array->kind == ILC__EX_SPANAT;
}

static const char *length_temp(ilc__printer *p, const char *length)
{
    return ilc__temp(p, "long long", length).text;
}

/* A span has a pointer and a length as an array has, the pointer to what may be written: the array behind it says whether
 * anything does. */
static void span_print(ilc__printer *p, const ilc__expr *span, bool want_length, ilc__array_text *out)
{
    ilc__array_text of = {0};
    const char     *type = type_of(p, span);
    out->is_span = true;
    if (span->kind == ILC__EX_SPANAT) {
        ilc__piece addr = ilc__addr_print(p, span->args[0]);
        out->pointer = ilc__temp(p, ilc__print(p, "%s *", type), ilc__print(p, "(%s *)%s", type, ilc__piece_at(p, addr, ILC__PREC_UNARY))).text;
        out->lengths[0] = length_temp(p, ilc__expr_print(p, span->args[1]).text);
        return;
    }
    bool is_part = span->kind == ILC__EX_SPAN;
    ilc__array_print(p, span->args[0], want_length && !is_part, &of);
    if (!is_part) {
        out->pointer = ilc__print(p, "((%s *)%s)", type, of.pointer);
        bool there = of.is_span || span->args[0]->kind == ILC__EX_NEWARR;
        if (want_length) out->lengths[0] = there ? of.lengths[0] : length_temp(p, ilc__print(p, "%s < 0 ? 0 : %s", of.lengths[0], of.lengths[0]));
        return;
    }
    ilc__piece start = ilc__expr_print(p, span->args[1]);
    out->pointer = ilc__temp(p, ilc__print(p, "%s *", type), ilc__print(p, "(%s *)%s + %s", type, of.pointer, ilc__piece_at(p, start, ILC__PREC_MUL))).text;
    if (want_length) out->lengths[0] = length_temp(p, ilc__expr_print(p, span->args[2]).text);
}

ilc__piece ilc__data_print(ilc__printer *p, const ilc__expr *expr)
{
    ilc__array_text array;
    ilc__array_print(p, expr->args[0], true, &array);
    const char *type = type_of(p, expr->args[0]);
    return (ilc__piece){.text = ilc__print(p, "(%s > 0 ? (%s *)%s : (%s *)0)", array.lengths[0], type, array.pointer, type), .prec = ILC__PREC_PRIMARY, .depth = 1};
}

static void any_array(ilc__printer *p, const ilc__expr *array, bool want_length, ilc__array_text *out)
{
    *out = (ilc__array_text){.pointer = "0", .lengths = {"-1LL", "-1LL", "-1LL"}};
    if (array->kind == ILC__EX_VAR) {
        uint32_t index = array->u.var->index;
        out->pointer = p->info->var_names[index];
        out->is_span = array->u.var->is_span;
        for (uint32_t k = 0; k < 3; k++)
            out->lengths[k] = p->info->len_names[3 * index + k];
        out->needs = p->info->needs_len + 3 * index;
        for (uint32_t k = 0; want_length && k < ilc__rank_of(array->u.var); k++)
            out->needs[k] = true;
    } else if (array->kind == ILC__EX_NEWARR) {
        new_array(p, array, out);
    } else if (array->kind == ILC__EX_SELECT) {
        select_array(p, array, out);
    } else if (ilc__is_span_made(array)) {
        span_print(p, array, true, out);
    } else if (array->kind == ILC__EX_LOAD) {
        inner_array(p, array, out);
    } else if (array->kind == ILC__EX_CALL) {
        called_array(p, array, out);
    }
}

void ilc__array_print(ilc__printer *p, const ilc__expr *array, bool want_length, ilc__array_text *out)
{
    ilc__in_expr around = ilc__lines_enter(p, array);
    any_array(p, array, want_length, out);
    ilc__lines_leave(p, around);
}

/* --- elements
 * --------------------------------------------------------------------------------------------------- */

void ilc__index_print(ilc__printer *p, const ilc__expr *index, bool keep, ilc__index *out)
{
    *out = (ilc__index){.count = 1};
    if (index->kind == ILC__EX_SUBSCRIPTS) {
        out->count = index->arg_count;
        ilc__operands_print(p, index, out->at, NULL);
    } else {
        out->at[0] = ilc__expr_print(p, index);
    }
    for (uint32_t k = 0; k < out->count; k++) {
        const ilc__expr *at = out->count > 1 ? index->args[k] : index;
        if (keep && !out->at[k].leaf) out->at[k] = ilc__temp(p, ilc__c_stack_type(at->type), out->at[k].text);
        out->loads = out->loads || out->at[k].loads;
        if (out->at[k].depth > out->depth) out->depth = out->at[k].depth;
    }
}

void ilc__trap_place(ilc__printer *p, const ilc__index *index, const ilc__array_text *array, uint32_t il,
                     bool has_il)
{
    ilc__trap_bounds(p, index->at[0], array, il, has_il);
    for (uint32_t k = 1; k < index->count; k++) {
        const char *i = ilc__piece_at(p, index->at[k], ILC__PREC_SHIFT);
        ilc__trap_test(p, ilc__print(p, "%s < 0 || %s >= %s", i, i, array->lengths[k]), ilc__site_known(p, ILC__EXC_INDEX, il, has_il));
    }
}

const char *ilc__index_text(ilc__printer *p, const ilc__index *index, const ilc__array_text *array)
{
    const char *text = index->at[0].text;
    for (uint32_t k = 1; k < index->count; k++) {
        const char *before =
            k == 1 ? ilc__piece_at(p, index->at[0], ILC__PREC_MUL) : ilc__print(p, "(%s)", text);
        if (array->needs) array->needs[k] = true;
        /* lengths are 64 bits wide, so all but the subscripts themselves is */
        text = ilc__print(p, "%s * %s + %s", before, array->lengths[k],
                          ilc__piece_at(p, index->at[k], ILC__PREC_MUL));
    }
    return text;
}

ilc__piece ilc__element_print(ilc__printer *p, const ilc__expr *expr, const char *type)
{
    ilc__array_text array;
    ilc__index      index;
    bool            checked = ilc__expr_checked(p, expr);
    ilc__array_print(p, expr->args[0], checked, &array);
    ilc__index_print(p, expr->args[1], checked, &index);
    if (checked) ilc__trap_place(p, &index, &array, expr->il, expr->has_il);
    const char *text =
        ilc__element_text(p, expr->args[0], array.pointer, ilc__index_text(p, &index, &array), type);
    return (ilc__piece){
        .text = text, .prec = ILC__PREC_PRIMARY, .loads = index.loads, .depth = index.depth + 1};
}

/* "p_x[i]"; the null constant has no type of its own, and one of another sign may stand for an array. */
const char *ilc__element_text(ilc__printer *p, const ilc__expr *array, const char *pointer, const char *index,
                              const char *type)
{
    bool other = array->kind == ILC__EX_CONST || strcmp(type, type_of(p, array)) != 0;
    return other ? ilc__print(p, "((%s *)%s)[%s]", type, pointer, index)
                 : ilc__print(p, "%s[%s]", pointer, index);
}

/* --- lengths
 * ------------------------------------------------------------------------------------------------------ */

ilc__piece ilc__len_print(ilc__printer *p, const ilc__expr *expr)
{
    ilc__array_text array;
    uint32_t        rank = kind_of(expr->args[0]).rank;
    bool            wide = expr->type == ILC__IR_I64;
    if (expr->args[0]->kind == ILC__EX_NEWARR && expr->args[0]->u.var->table)
        return (ilc__piece){.text = ilc__print(p, wide ? "%uLL" : "%u", expr->args[0]->u.var->count), .prec = ILC__PREC_PRIMARY, .leaf = true};
    ilc__array_print(p, expr->args[0], true, &array);
    if (ilc__expr_checked(p, expr)) ilc__trap_null(p, array.lengths[0], expr->il, expr->has_il);
    if (rank < 2) {
        ilc__piece piece = {.text = array.lengths[0], .prec = ILC__PREC_PRIMARY, .leaf = true};
        if (wide) return piece;
        return (ilc__piece){
            .text = ilc__print(p, "(int)%s", array.lengths[0]), .prec = ILC__PREC_UNARY, .leaf = true};
    }
    const char *all = ilc__print(p, "%s * %s", array.lengths[0], array.lengths[1]);
    if (rank == 3) all = ilc__print(p, "%s * %s", all, array.lengths[2]);
    if (wide) return (ilc__piece){.text = all, .prec = ILC__PREC_MUL, .depth = 1};
    return (ilc__piece){.text = ilc__print(p, "(int)(%s)", all), .prec = ILC__PREC_UNARY, .depth = 1};
}

/* The dimension is a constant almost always; another one chooses. */
ilc__piece ilc__dim_print(ilc__printer *p, const ilc__expr *expr)
{
    ilc__array_text  array;
    const ilc__expr *number = expr->args[1];
    uint32_t         rank = kind_of(expr->args[0]).rank;
    if (rank == 0) rank = 1; /* of null, which raises */
    bool known = number->kind == ILC__EX_CONST && (uint32_t)number->u.bits < rank;
    ilc__array_print(p, expr->args[0], !known, &array);
    if (known && array.needs) array.needs[(uint32_t)number->u.bits] = true;
    if (ilc__expr_checked(p, expr) && array.needs) array.needs[0] = true; /* is it null? */
    ilc__piece at = ilc__expr_print(p, number);
    if (!at.leaf) at = ilc__temp(p, "int", at.text);
    if (ilc__expr_checked(p, expr)) {
        ilc__trap_null(p, array.lengths[0], expr->il, expr->has_il);
        const char *d = ilc__piece_at(p, at, ILC__PREC_SHIFT);
        if (!known)
            ilc__trap_test(p, ilc__print(p, "%s < 0 || %s >= %u", d, d, rank),
                           ilc__site_known(p, ILC__EXC_DIMENSION, expr->il, expr->has_il));
    }
    if (known)
        return (ilc__piece){.text = ilc__print(p, "(int)%s", array.lengths[(uint32_t)number->u.bits]),
                            .prec = ILC__PREC_UNARY,
                            .leaf = true};
    const char *text = array.lengths[rank - 1];
    for (uint32_t k = rank - 1; k > 0; k--)
        text = ilc__print(p, "%s == %u ? %s : %s", ilc__piece_at(p, at, ILC__PREC_REL), k - 1,
                          array.lengths[k - 1], text);
    return (ilc__piece){
        .text = ilc__print(p, "(int)(%s)", text), .prec = ILC__PREC_UNARY, .depth = at.depth + 1};
}
