/* split_cuda.c - the kernel of rows split among threads (rows.h): all threads of a warp, or of a block, run the function for
 * one element. In its loops each takes the turns of its number and so many further, with its own part of each sum; behind
 * the loop all have the parts together, put together in one order, and so the same values. */
#include "emit/rows.h"

enum { WARP = 32, WARPS = 4 /* of a block whose warps have a row each */ };

/* By the tile's number: threads to a row (ilc__rows_choose). */
static const uint32_t threads_of[] = {WARP, 256, 1024};

static uint32_t warps_of(const struct ilc__rows *rows)
{
    return rows->split / WARP;
}

/* Turns that a thread reads before it runs them: enough to have the memory busy. */
static uint32_t turns_ahead(const ilc__rows_loop *loop)
{
    return loop->load_count < 3 ? 8 : 4;
}

static const char *name_of(ilc__printer *p, const ilc__sum *sum)
{
    return p->info->var_names[sum->var->index];
}

/* --- before the loop ------------------------------------------------------------------------------------------------ */

static void start_sum(ilc__printer *p, const ilc__sum *sum)
{
    const char *name = name_of(p, sum);
    if (sum->reach) {
        const char *wide = ilc__c_type(sum->reach->storage);
        ilc__line_out(p, "%s %s = il_lane ? 0 : %s < 0 ? -(%s)%s : (%s)%s;", wide, sum->reach->name, name, wide, name, wide, name);
    }
    if (sum->same) return;
    bool primary;
    ilc__line_out(p, "if (il_lane) %s = %s;", name, ilc__literal(p->em->arena, ilc__storage_ir_type(sum->var->storage), sum->identity, &primary));
}

/* Values of turns behind the last are not looked at. */
static void read_ahead(ilc__printer *p, const ilc__rows_loop *loop, uint32_t ahead)
{
    if (!loop->load_count) return;
    for (uint32_t i = 0; i < loop->load_count; i++) ilc__line_out(p, "%s il_line%u[%u];", ilc__c_type(loop->loads[i].storage), i, ahead);
    ilc__line_out(p, "#pragma unroll");
    ilc__line_out(p, "for (unsigned il_h = 0; il_h < %u; il_h++) {", ahead);
    ilc__line_out(p, "    const unsigned il_turn = il_k0 + il_h * %u;", p->info->rows->split);
    for (uint32_t i = 0; i < loop->load_count; i++)
        ilc__line_out(p, "    il_line%u[il_h] = il_turn < il_count ? il_from%u[il_turn] : 0;", i, i);
    ilc__line_out(p, "}");
}

void ilc__split_loop_head(ilc__printer *p, const ilc__rows_loop *loop)
{
    const char *index = p->info->var_names[p->em->spec->index_params[0]];
    uint32_t    ahead = turns_ahead(loop), threads = p->info->rows->split;
    ilc__line_out(p, "const unsigned il_count = il_turns > 0 ? (unsigned)il_turns : 0;");
    for (uint32_t i = 0; i < loop->load_count; i++) {
        const ilc__tile_load *l = &loop->loads[i];
        ilc__line_out(p, "const %s *il_from%u = %s + (%s) + il_first + (%s) * (long long)%s;", ilc__c_type(l->storage), i, p->info->var_names[l->array->index],
                      ilc__tile_poly_text(p->em, p->info, &l->start), ilc__tile_poly_text(p->em, p->info, &l->stride), index);
    }
    for (uint32_t i = 0; i < loop->sum_count; i++) start_sum(p, &loop->sums[i]);
    ilc__line_out(p, "for (unsigned il_k0 = il_lane; il_k0 < il_count; il_k0 += %u) {", ahead * threads);
    p->indent++;
    read_ahead(p, loop, ahead);
    ilc__line_out(p, "#pragma unroll");
    ilc__line_out(p, "for (unsigned il_h = 0; il_h < %u; il_h++) {", ahead);
    ilc__line_out(p, "    if (il_k0 + il_h * %u >= il_count) break;", threads);
    ilc__rows_counter(p, loop->loop, ilc__print(p, "il_first + il_k0 + il_h * %u", threads));
}

/* --- behind the loop ------------------------------------------------------------------------------------------------ */

/* "sum = sum + il_other;" */
static void add_other(ilc__printer *p, const ilc__sum *sum, ilc__var *var)
{
    ilc__arena *arena = p->em->arena;
    bool        reach = var == sum->reach;
    ilc__expr  *a = ilc__expr_of(arena, var), *b = ilc__expr_of(arena, reach ? sum->reach_other : sum->other);
    if (!reach && sum->by_compare) {
        ilc__expr *test = ilc__expr_op(arena, sum->whole, sum->sum_right ? b : a, sum->sum_right ? a : b);
        ilc__line_out(p, "    if (%s) %s = il_other;", ilc__expr_print(p, test).text, p->info->var_names[var->index]);
        return;
    }
    ilc__op    op = !reach ? sum->whole : var->storage == ILC_F64 ? ILC__OP_ADD_F64 : ILC__OP_ADD_I64;
    ilc__expr *both = ilc__expr_op(arena, op, a, b);
    ilc__line_out(p, "    %s = %s;", p->info->var_names[var->index], ilc__expr_print(p, both).text);
}

static void put_together(ilc__printer *p, const ilc__sum *sum, ilc__var *var)
{
    const char *type = ilc__c_stack_type(ilc__storage_ir_type(var->storage)), *name = p->info->var_names[var->index];
    ilc__line_out(p, "#pragma unroll");
    ilc__line_out(p, "for (int il_far = %d; il_far > 0; il_far /= 2) {", WARP / 2);
    ilc__line_out(p, "    const %s il_other = __shfl_xor_sync(0xffffffffu, %s, il_far);", type, name);
    add_other(p, sum, var);
    ilc__line_out(p, "}");
    uint32_t warps = warps_of(p->info->rows);
    if (warps == 1) {
        /* of zeros, and of what is no number, each thread may have another one */
        if (var->storage == ILC_F32 || var->storage == ILC_F64) ilc__line_out(p, "%s = __shfl_sync(0xffffffffu, %s, 0);", name, name);
        return;
    }
    ilc__line_out(p, "__shared__ %s il_warps_%s[%u];", type, name, warps);
    ilc__line_out(p, "if (il_lane %% %d == 0) il_warps_%s[il_lane / %d] = %s;", WARP, name, WARP, name);
    ilc__line_out(p, "__syncthreads();");
    ilc__line_out(p, "%s = il_warps_%s[0];", name, name);
    ilc__line_out(p, "for (int il_warp = 1; il_warp < %u; il_warp++) {", warps);
    ilc__line_out(p, "    const %s il_other = il_warps_%s[il_warp];", type, name);
    add_other(p, sum, var);
    ilc__line_out(p, "}");
    ilc__line_out(p, "__syncthreads();");
}

static const char *limit_of(const ilc__sum *sum)
{
    /* half of 2^63: what a Double loses is less */
    return sum->reach->storage == ILC_F64 ? "4611686018427387904.0" : "2147483647LL";
}

void ilc__split_loop_end(ilc__printer *p, const ilc__rows_loop *loop)
{
    p->indent--;
    ilc__line_out(p, "}");
    for (uint32_t i = 0; i < loop->sum_count; i++) {
        const ilc__sum *sum = &loop->sums[i];
        put_together(p, sum, sum->var);
        if (!sum->reach) continue;
        put_together(p, sum, sum->reach);
        ilc__line_out(p, "il_failed |= %s > %s;", sum->reach->name, limit_of(sum));
        p->info->marks = true;
    }
    p->indent--;
    ilc__line_out(p, "}");
}

/* --- the kernel ----------------------------------------------------------------------------------------------------- */

static void print_kernel(ilc__emitter *em, const struct ilc__rows *rows, const ilc__entry *entry, const ilc__func_info *part, const ilc__func_info *root)
{
    static const char *const own[] = {"il_row"};
    bool                     block = rows->split > WARP;
    ilc__out(em, "extern \"C\" __global__ void __launch_bounds__(%u) %s(", ilc__rows_threads(rows), entry->name);
    ilc__entry_params(em, entry);
    ilc__out(em, ") {\n    const long long il_row = ");
    if (block) ilc__out(em, "blockIdx.x;\n    const unsigned il_lane = threadIdx.x;\n");
    else ilc__out(em, "(long long)blockIdx.x * %d + threadIdx.x / %d;\n    const unsigned il_lane = threadIdx.x %% %d;\n", WARPS, WARP, WARP);
    ilc__out(em, "    if (il_row >= il_n) return;\n    bool il_failed = false;\n");
    ilc__out(em, "    const %s il_value = %s;\n", ilc__c_type(part->func->ret), ilc__entry_call(em, entry, part, own));
    if (part->marks) ilc__out(em, block ? "    il_failed = __syncthreads_or(il_failed);\n" : "    il_failed = __any_sync(0xffffffffu, il_failed);\n");
    ilc__out(em, "    if (il_lane) return;\n");
    const char *value = "il_value";
    if (part->marks) {
        if (root->traps) ilc__out(em, "    il_state il_at = {il_trap, il_row, 0};\n");
        value = ilc__arena_printf(em->arena, "il_failed ? %s : il_value", ilc__entry_call(em, entry, root, own));
    }
    ilc__out(em, "    il_out[il_row] = %s;\n}\n", value);
}

ilc_status ilc__split_print(ilc__emitter *em, const ilc__func_info *root, ilc__kernel *out)
{
    ilc__func        *func = ilc__ast_copy_func(em->arena, root->func);
    struct ilc__rows *rows = ILC__NEW(em->arena, struct ilc__rows);
    ilc__func_info    part;
    rows->split = threads_of[em->options->tile->number - ILC__TILED_SPLIT];
    rows->rows = rows->split == WARP ? WARPS : 1;
    if (!ilc__rows_find(em, func, rows) || !ilc__split_find(em, func, rows)) return ILC_OK;
    ilc__note_add(em, "split", true, NULL, "%u threads share a row", rows->split);
    ilc__tile_start(em, root, "split", out);
    ILC__TRY(ilc__rows_print_func(em, rows, func, root, "part", &part));
    print_kernel(em, rows, &out->tile.entry, &part, root);
    ilc__rows_settle(em, rows, out);
    return ILC_OK;
}
