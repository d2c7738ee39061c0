/* tile.c - what the tiles of both dialects share: found and cut, printed by tile_cuda.c or tile_cpu.c, asked at a launch. */
#include "emit/rows.h"

/* --- text ---------------------------------------------------------------------------------------------------------- */

static const char *symbol_text(const ilc__func_info *root, uint32_t symbol)
{
    uint32_t param = ilc__symbol_param(symbol), part = ilc__symbol_part(symbol);
    if (part == ILC__SYM_VALUE) return root->var_names[param];
    return root->len_names[3 * param + (part == ILC__SYM_LENGTH ? 0 : part - ILC__SYM_DIM)];
}

const char *ilc__tile_poly_text(ilc__emitter *em, const ilc__func_info *root, const ilc__poly *poly)
{
    ilc__text text = {.arena = em->arena};
    if (poly->count == 0) return "0LL";
    for (uint32_t i = poly->count; i-- > 0;) {
        const ilc__term *term = &poly->terms[i];
        bool             lone = term->factor == 1 || term->factor == -1, first = i + 1 == poly->count;
        ilc__text_puts(&text, first ? term->factor < 0 ? "-" : "" : term->factor < 0 ? " - " : " + ");
        if (!lone || term->count == 0) ilc__text_printf(&text, "%lldLL%s", (long long)(term->factor < 0 ? -term->factor : term->factor), term->count ? " * " : "");
        for (uint32_t k = 0; k < term->count; k++)
            ilc__text_printf(&text, "%s(long long)%s", k ? " * " : "", symbol_text(root, term->symbols[k]));
    }
    return ilc__text_string(&text);
}

const char *ilc__tile_fields(ilc__emitter *em, const ilc__tile_shape *shape, const ilc__func_info *root)
{
    ilc__text text = {.arena = em->arena};
    for (uint32_t i = 0; i < shape->func->vars.count; i++)
        if (shape->cell[i]) ilc__text_printf(&text, " %s %s;", ilc__c_type(shape->func->vars.items[i]->storage), root->var_names[i]);
    return ilc__text_string(&text);
}

/* --- printing -------------------------------------------------------------------------------------------------------- */

static const ilc__poly *keep(ilc__emitter *em, const ilc__poly *poly)
{
    return ilc__arena_copy(em->arena, poly, sizeof *poly);
}

static void describe(ilc__emitter *em, const ilc__tile_shape *shape, ilc__tile *tile)
{
    tile->symmetric = shape->symmetric;
    tile->one_matrix = shape->one_matrix;
    tile->load_count = shape->load_count;
    ilc__tile_load *loads = ilc__arena_copy(em->arena, shape->loads, shape->load_count * sizeof *shape->loads);
    for (uint32_t i = 0; i < shape->load_count; i++) loads[i].array = em->root->vars.items[loads[i].array->index];
    tile->loads = loads;
    tile->first = keep(em, &shape->first);
    tile->turns = keep(em, &shape->turns);
}

void ilc__tile_start(ilc__emitter *em, const ilc__func_info *root, const char *suffix, ilc__kernel *out)
{
    const char *name = ilc__name_unique(&em->names, ilc__arena_printf(em->arena, "il_%s_%s", ilc__name_mangle(em->arena, em->root->name), suffix));
    ilc__entry_build(em, root, name, &out->tile.entry);
    out->covers_all = !root->traps;
}

ilc_status ilc__tile_print(ilc__emitter *em, const ilc__func_info *root, ilc__kernel *out)
{
    ilc__tile_shape shape;
    ilc__tile_parts parts;
    bool            cuda = em->options->dialect == ILC__DIALECT_CUDA;
    if (cuda && em->spec->mode == ILC__MODE_ELEMENTWISE) return ilc__quads_print(em, root, out);
    if (!(out->has_guard || !em->options->checks)) {
        ilc__note_add(em, cuda && em->spec->mode == ILC__MODE_1D ? "rows" : "tile", false, NULL, "without a launch guard nothing is known of what elements read");
        return ILC_OK;
    }
    if (cuda && em->spec->mode == ILC__MODE_1D) return ilc__rows_print(em, root, out);
    if (!cuda && ilc__lanes_find(em, root, &shape)) {
        ilc__tile_start(em, root, "lanes", out);
        describe(em, &shape, &out->tile);
        out->tile.lanes = true;
        return ilc__lanes_print_cpu(em, &shape, root, &out->tile.entry);
    }
    if (!ilc__tile_find(em, root, &shape) || !(cuda ? ilc__tile_fits_cuda(em, &shape, &out->tile) : ilc__tile_fits_cpu(em, &shape))) return ILC_OK;
    shape.symmetric = shape.symmetric && !em->options->tile->whole;
    if (cuda) ilc__note_add(em, "tile", true, NULL, "%u sizes, of up to %u x %u elements", out->tile.choice->count, out->tile.size.rows, out->tile.size.cols);
    else ilc__note_add(em, "tile", true, NULL, "elements of a row side by side in vectors, rows and columns in blocks");
    ilc__tile_start(em, root, "tile", out);
    describe(em, &shape, &out->tile);
    ilc__tile_cut(em, &shape, root, &parts);
    return (cuda ? ilc__tile_print_cuda : ilc__tile_print_cpu)(em, &shape, &parts, root, &out->tile);
}

/* --- at a launch ------------------------------------------------------------------------------------------------------ */

/* The ends of index(line, turn), which grows or falls evenly in both: among those of its corners. Without a loop what follows
 * one after the other are the columns. */
bool ilc__tile_load_holds(const ilc__tile_load *load, const ilc__poly *counter, int64_t turns, const ilc__launch_facts *facts)
{
    if (load->column.count) turns = facts->extents[1];
    int64_t first, start, stride, lines = facts->extents[load->by_j ? 1 : 0] - 1, last;
    if (!ilc__poly_value(counter, facts, &first) || !ilc__poly_value(&load->start, facts, &start) || !ilc__poly_value(&load->stride, facts, &stride)) return false;
    if (__builtin_add_overflow(start, first, &start) || __builtin_mul_overflow(stride, lines, &last) || __builtin_add_overflow(last, start, &last)) return false;
    int64_t low = start < last ? start : last, high = start < last ? last : start, length = facts->lengths[load->array->index];
    return low >= 0 && high <= length - turns;
}

bool ilc__tile_holds(const ilc__kernel *kernel, const ilc__launch_facts *facts, double *work, const char **why)
{
    const ilc__tile *tile = &kernel->tile;
    int64_t          turns;
    *work = 0;
    *why = NULL;
    if (!tile->entry.name) return false;
    if (tile->rows) return ilc__rows_hold(tile->rows, facts, why);
    if (tile->quads) {
        *why = "there are fewer than 262144 elements";
        return facts->extents[0] >= ILC__QUADS_PAY;
    }
    *why = "its loop has no turns, or too many";
    if (!ilc__poly_value(tile->turns, facts, &turns) || turns < 1 || turns > INT32_MAX) return false;
    *why = "what the rows and columns of all elements read does not lie in the arrays";
    for (uint32_t i = 0; i < tile->load_count; i++)
        if (!ilc__tile_load_holds(&tile->loads[i], tile->first, turns, facts)) return false;
    *why = "a row has fewer than 16 elements";
    if (tile->lanes && facts->extents[1] < ILC__LANES_MOST) return false;
    *work = (double)facts->extents[0] * (double)facts->extents[1] * (double)turns;
    return true;
}
