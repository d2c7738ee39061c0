/* rows.c - what is done to a row of a matrix (docs/rows.md) is done to the matrix: the element k of row i is the element (i, k),
 * and the row's length the length of the second dimension. So the guard and the schedules see subscripts as if the source had
 * them. Comes when all checks that can be proved of the row are. What is left of rows then are arguments of calls. */
#include "opt/edit.h"

typedef struct rows {
    ilc__ir_func *func;
    uint32_t     *versions; /* of each variable */
} rows;

/* The same wherever it is read. */
static bool is_fixed(const rows *r, ilc__ref ref)
{
    const ilc__ir_value *value = &r->func->values.items[ref];
    return value->op == ILC__OP_CONST || (value->op == ILC__OP_PARAM && r->versions[value->var] == 1);
}

typedef struct row { /* row `index` of the matrix, as long as `length` says: DIM (matrix, 1) */
    ilc__ref             matrix, index;
    const ilc__ir_value *made, *length;
} row;

/* The operand of a conversion to i64; 0 where it is none. */
static ilc__ref widened(const ilc__ir_func *func, ilc__ref ref)
{
    const ilc__ir_value *value = ilc__ir_uncopied(func, ref);
    return value->op == ILC__OP_I64_I32 ? value->args[0] : 0;
}

static bool is_columns(const ilc__ir_func *func, const ilc__ir_value *value, ilc__ref matrix)
{
    return value->op == ILC__OP_DIM && value->args[0] == matrix && ilc__edit_is_const(func, value->args[1], 1);
}

/* As lift_array.c makes them: SPAN matrix, i * columns, columns. False where it is another array, or not known wherever it is used. */
static bool is_row(const rows *r, ilc__ref array, row *out)
{
    const ilc__ir_func *func = r->func;
    *out = (row){.made = ilc__ir_uncopied(func, array)};
    if (out->made->op != ILC__OP_SPAN || out->made->layout) return false;
    const ilc__ir_value *start = ilc__ir_uncopied(func, out->made->args[1]);
    out->length = ilc__ir_uncopied(func, out->made->args[2]);
    out->matrix = out->made->args[0];
    if (start->op != ILC__OP_MUL_I64) return false;
    ilc__ref width = widened(func, start->args[1]);
    out->index = widened(func, start->args[0]);
    if (!out->index || !width || !is_columns(func, ilc__ir_uncopied(func, width), out->matrix) || !is_columns(func, out->length, out->matrix)) return false;
    return ilc__ir_array(func, out->matrix).rank == 2 && is_fixed(r, out->matrix) && is_fixed(r, out->index);
}

/* Element k of the row. */
static void use_matrix(ilc__ir_func *func, ilc__ir_value *value, const row *of)
{
    ilc__ref *args = ILC__NEW_ARRAY(func->arena, ilc__ref, (size_t)value->arg_count + 1);
    args[0] = of->matrix;
    args[1] = of->index;
    memcpy(args + 2, value->args + 1, (value->arg_count - 1) * sizeof *args);
    value->args = args;
    value->arg_count++;
}

/* Its length; it is i32, as DIM is. */
static void use_dimension(ilc__ir_func *func, ilc__ir_value *value, const row *of)
{
    value->op = ILC__OP_DIM;
    value->args = ilc__arena_copy(func->arena, of->length->args, 2 * sizeof *of->length->args);
    value->arg_count = 2;
    value->storage = ILC_VOID;
    value->safe = true;
}

/* Rows are objects of their own, even the same row of the same matrix. */
static bool compare_rows(const rows *r, ilc__ir_value *value)
{
    row                  x, y;
    bool                 x_is_row = is_row(r, value->args[0], &x), y_is_row = is_row(r, value->args[1], &y);
    bool known = (x_is_row && y_is_row) || (x_is_row && y.made->op == ILC__OP_PARAM) || (y_is_row && x.made->op == ILC__OP_PARAM);
    if (!known) return false;
    value->op = ILC__OP_CONST;
    value->arg_count = 0;
    value->u.bits = x.made == y.made;
    return true;
}

static bool rewrite(const rows *r, ilc__ir_value *value)
{
    bool is_access = value->op == ILC__OP_LOAD || value->op == ILC__OP_STORE || value->op == ILC__OP_ELEMADDR;
    bool is_length = value->op == ILC__OP_LEN && value->type == ILC__IR_I32;
    if (value->op == ILC__OP_SAMEREF) return compare_rows(r, value);
    if (!is_access && !is_length) return false;
    row of;
    if (!is_row(r, value->args[0], &of)) return false;
    if (is_access) use_matrix(r->func, value, &of);
    else use_dimension(r->func, value, &of);
    return true;
}

bool ilc__opt_rows(ilc__ir_func *func)
{
    rows r = {.func = func};
    bool any = false, progress = false;
    for (ilc__ref ref = 1; ref < func->values.count; ref++) any = any || func->values.items[ref].op == ILC__OP_SPAN;
    if (!any) return false;
    r.versions = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, func->vars.count);
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) r.versions[func->values.items[block->list.items[i]].var]++;
    }
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) progress |= rewrite(&r, &func->values.items[block->list.items[i]]);
    }
    return progress;
}
