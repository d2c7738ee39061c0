/* print.c - the text form of a function; parse.c reads it back. The grammar is in docs/ir.md.
 *
 * Values are numbered in the order in which they stand, so that the text does not depend on history. */
#include "ir/text.h"

#include "meta/layout.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct printer {
    const ilc__ir_func *func;
    ilc__text          *out;
    uint32_t           *number;  /* value -> printed number              */
    bool               *by_name; /* variable -> is its name its label    */
    bool               *slot_by_name;
} printer;

bool ilc__ir_is_plain_name(const char *name)
{
    if (!name || !(isalpha((unsigned char)*name) || *name == '_')) return false;
    for (; *name; name++)
        if (!(isalnum((unsigned char)*name) || *name == '_')) return false;
    return true;
}

static const char *slot_name(const ilc__ir_func *func, uint32_t number)
{
    return number < func->slots.count ? func->slots.items[number].name : NULL;
}

static const char *var_name(const ilc__ir_func *func, uint32_t number)
{
    return number < func->vars.count ? func->vars.items[number].name : NULL;
}

/* A variable or slot is shown by its name where that is plain and its own, else by "$<number>". */
static bool *names_to_show(const ilc__ir_func *func, const char *(*name_of)(const ilc__ir_func *, uint32_t),
                           uint32_t            count)
{
    bool    *show = ILC__NEW_ARRAY(func->arena, bool, count);
    ilc__map seen = {.arena = func->arena};
    for (uint32_t v = 1; v < count; v++) {
        const char *name = name_of(func, v);
        if (!ilc__ir_is_plain_name(name)) continue;
        bool *other = ilc__map_get(&seen, name, strlen(name));
        show[v] = !other;
        if (other) *other = false;
        ilc__map_put(&seen, name, strlen(name), &show[v]);
    }
    return show;
}

static void print_quoted(ilc__text *out, const char *text)
{
    ilc__text_putc(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\' || c < 0x20 || c == 0x7f)
            ilc__text_printf(out, "\\x%02x", c);
        else
            ilc__text_putc(out, *text);
    }
    ilc__text_putc(out, '"');
}

static void print_field_name(ilc__text *out, const char *name)
{
    if (ilc__ir_is_plain_name(name))
        ilc__text_puts(out, name);
    else
        print_quoted(out, name);
}

static void print_name_or_number(ilc__text *out, uint32_t number, const char *name, bool by_name,
                                 bool declares)
{
    if (by_name) {
        ilc__text_puts(out, name);
        return;
    }
    ilc__text_printf(out, "$%u", number);
    if (!declares) return;
    ilc__text_putc(out, ' ');
    print_quoted(out, name ? name : "");
}

static void print_label(printer *p, uint32_t var, bool declares)
{
    print_name_or_number(p->out, var, var_name(p->func, var), var < p->func->vars.count && p->by_name[var],
                         declares);
}

static void print_slot_label(printer *p, uint32_t slot, bool declares)
{
    print_name_or_number(p->out, slot, slot_name(p->func, slot),
                         slot < p->func->slots.count && p->slot_by_name[slot], declares);
}

static void print_type(ilc__text *out, ilc_storage storage, const ilc__layout *layout)
{
    if (layout)
        print_quoted(out, layout->name);
    else
        ilc__text_puts(out, ilc_storage_name(storage));
}

static void print_brackets(ilc__text *out, const ilc__ir_var *array)
{
    for (uint32_t i = 0; i <= array->nested; i++)
        ilc__text_puts(out, array->rank == 3 ? "[,,]" : array->rank == 2 ? "[,]" : "[]");
}

static void print_result(ilc__text *out, const ilc__ir_func *func)
{
    if (func->ret_array) print_type(out, func->ret_array->storage, func->ret_array->layout);
    else if (func->ret_to) print_type(out, func->ret_to->storage, func->ret_to->layout);
    else ilc__text_puts(out, ilc_storage_name(func->ret));
    if (func->ret_to) ilc__text_putc(out, '&');
    if (func->ret_array) print_brackets(out, func->ret_array);
}

static void print_storage(ilc__text *out, const ilc__ir_var *var)
{
    ilc__text_puts(out, ": ");
    print_type(out, var->storage, var->layout);
    if (var->is_addr) ilc__text_putc(out, var->is_pointer ? '*' : '&');
    if (var->is_array) print_brackets(out, var);
    if (var->is_span) ilc__text_puts(out, " span");
}

/* --- layouts ----------------------------------------------------------------------------------------------
 */

enum { MAX_LAYOUTS = 4096 };

/* Those that are inside it first. */
static void print_layout(printer *p, const ilc__layout *layout, ilc__map *seen)
{
    if (!layout || seen->count >= MAX_LAYOUTS || ilc__map_get(seen, layout->name, strlen(layout->name)))
        return;
    ilc__map_put(seen, layout->name, strlen(layout->name), (void *)(uintptr_t)layout);
    for (uint32_t i = 0; i < layout->field_count; i++)
        print_layout(p, layout->fields[i].layout, seen); /* 16 deep at most */
    ilc__text_puts(p->out, "layout ");
    print_quoted(p->out, layout->name);
    ilc__text_printf(p->out, " size %u align %u (", layout->size, layout->align);
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const ilc__layout_field *field = &layout->fields[i];
        if (i) ilc__text_puts(p->out, ", ");
        print_field_name(p->out, field->name);
        ilc__text_puts(p->out, ": ");
        print_type(p->out, field->storage, field->layout);
        ilc__text_printf(p->out, " @%u", field->offset);
    }
    ilc__text_puts(p->out, ")\n");
}

static void print_layouts(printer *p)
{
    const ilc__ir_func *f = p->func;
    ilc__map            seen = {.arena = f->arena};
    if (f->ret_to) print_layout(p, f->ret_to->layout, &seen);
    if (f->ret_array) print_layout(p, f->ret_array->layout, &seen);
    for (uint32_t v = 1; v < f->vars.count; v++)
        print_layout(p, f->vars.items[v].layout, &seen);
    for (uint32_t s = 1; s < f->slots.count; s++)
        print_layout(p, f->slots.items[s].layout, &seen);
    for (uint32_t b = 0; b < f->blocks.count; b++)
        for (uint32_t i = 0; i < f->blocks.items[b].list.count; i++) {
            ilc__ref ref = f->blocks.items[b].list.items[i];
            if (ref < f->values.count) print_layout(p, f->values.items[ref].layout, &seen);
        }
}

/* table "Ns.Type.Field" and the elements' bits */
static void print_table(printer *p, const ilc__static *table)
{
    uint32_t size = ilc_storage_size(table->array.elem);
    ilc__text_puts(p->out, " table ");
    print_quoted(p->out, table->name);
    for (int64_t i = 0; i < table->array.length; i++) {
        uint64_t bits = 0;
        memcpy(&bits, (const uint8_t *)table->array.data + (size_t)i * size, size);
        ilc__text_printf(p->out, " %llx", (unsigned long long)bits);
    }
}

static void print_slot(printer *p, uint32_t number)
{
    const ilc__ir_slot *slot = &p->func->slots.items[number];
    ilc__text_puts(p->out, "  slot ");
    print_slot_label(p, number, true);
    ilc__text_puts(p->out, ": ");
    print_type(p->out, slot->storage, slot->layout);
    if (slot->is_dynamic) ilc__text_puts(p->out, "[]");
    else if (slot->is_array) ilc__text_printf(p->out, "[%u]", slot->count);
    if (slot->table) print_table(p, slot->table);
    if (slot->is_temp)
        ilc__text_puts(p->out, " temp");
    else
        ilc__text_printf(p->out, " %s %u", slot->is_param ? "param" : "local", slot->slot);
    ilc__text_puts(p->out, slot->is_named ? " named\n" : "\n");
}

static void print_head(printer *p)
{
    const ilc__ir_func *f = p->func;
    print_layouts(p);
    ilc__text_puts(p->out, "func ");
    print_quoted(p->out, f->name ? f->name : "");
    ilc__text_puts(p->out, " (");
    for (uint32_t v = 1; v <= f->param_count && v < f->vars.count; v++) {
        if (v > 1) ilc__text_puts(p->out, ", ");
        print_label(p, v, true);
        print_storage(p->out, &f->vars.items[v]);
    }
    ilc__text_puts(p->out, ") ");
    print_result(p->out, f);
    if (f->ret_layout) {
        ilc__text_putc(p->out, ' ');
        print_quoted(p->out, f->ret_layout->name);
    }
    ilc__text_puts(p->out, f->may_trap ? " traps\n" : "\n");
    for (uint32_t v = f->param_count + 1; v < f->vars.count; v++) {
        const ilc__ir_var *var = &f->vars.items[v];
        ilc__text_puts(p->out, "  var ");
        print_label(p, v, true);
        print_storage(p->out, var);
        if (var->is_temp)
            ilc__text_puts(p->out, " temp");
        else
            ilc__text_printf(p->out, " local %u", var->slot);
        ilc__text_puts(p->out, var->is_named ? " named\n" : "\n");
    }
    for (uint32_t s = 1; s < f->slots.count; s++)
        print_slot(p, s);
}

static void print_ref(printer *p, ilc__ref ref)
{
    if (ref < p->func->values.count && p->number[ref])
        ilc__text_printf(p->out, "%%%u", p->number[ref]);
    else
        ilc__text_printf(p->out, "%%?%u", ref); /* broken: the verifier shows such functions */
}

static void print_args(printer *p, const ilc__ir_value *value, const char *before)
{
    for (uint32_t i = 0; i < value->arg_count; i++) {
        ilc__text_puts(p->out, i ? ", " : before);
        print_ref(p, value->args[i]);
    }
}

static void print_const(printer *p, const ilc__ir_value *value)
{
    switch (value->type) {
    case ILC__IR_I32: ilc__text_printf(p->out, " %d", (int)(uint32_t)value->u.bits); break;
    case ILC__IR_I64: ilc__text_printf(p->out, " %lld", (long long)value->u.bits); break;
    case ILC__IR_F32: ilc__text_printf(p->out, " 0x%08x", (unsigned)value->u.bits); break;
    case ILC__IR_F64: ilc__text_printf(p->out, " 0x%016llx", (unsigned long long)value->u.bits); break;
    default:
        ilc__text_puts(p->out, " null");
        if (value->type != ILC__IR_ADDR || value->var) break;
        ilc__text_puts(p->out, " of ");
        print_type(p->out, value->storage, value->layout);
        break;
    }
}

typedef struct phi_arg {
    uint32_t pred, index;
} phi_arg;

static int by_pred(const void *left, const void *right)
{
    const phi_arg *a = left, *b = right;
    if (a->pred != b->pred) return a->pred < b->pred ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Arguments with their predecessors, by block number: the order of preds is the function's own affair. */
static void print_phi(printer *p, const ilc__ir_value *value, const ilc__ir_block *block)
{
    phi_arg *args = ILC__NEW_ARRAY(p->func->arena, phi_arg, value->arg_count);
    for (uint32_t i = 0; i < value->arg_count; i++) {
        args[i].index = i;
        args[i].pred =
            i < block->preds.count ? block->preds.items[i] : ILC__NO_BLOCK; /* broken: stands last */
    }
    qsort(args, value->arg_count, sizeof *args, by_pred);
    for (uint32_t i = 0; i < value->arg_count; i++) {
        ilc__text_puts(p->out, i ? ", " : " ");
        if (args[i].pred == ILC__NO_BLOCK)
            ilc__text_puts(p->out, "? ");
        else
            ilc__text_printf(p->out, "b%u ", args[i].pred);
        print_ref(p, value->args[args[i].index]);
    }
}

/* "System.ArgumentException" "message", or "System.ArgumentException" ("text", %2): with open strings, or
 * "Own.Error" of "System.Exception" (%2). */
static void print_exception(printer *p, const ilc__ir_value *value)
{
    const ilc__exception *exc = value->u.exc;
    print_quoted(p->out, exc->type);
    ilc__text_putc(p->out, ' ');
    if (exc->message) {
        print_quoted(p->out, exc->message);
        return;
    }
    if (exc->base) {
        ilc__text_puts(p->out, "of ");
        print_quoted(p->out, exc->base);
        ilc__text_putc(p->out, ' ');
    }
    ilc__text_putc(p->out, '(');
    uint32_t next = 0, s = 0;
    for (const char *k = exc->kinds; *k; k++) {
        if (k != exc->kinds) ilc__text_puts(p->out, ", ");
        if (*k != 's') ilc__text_putc(p->out, *k);
        if (*k == 'o') ilc__text_putc(p->out, ' ');
        if (*k != 's' && *k != 'o') continue;
        if (exc->open[s]) print_ref(p, value->args[next++]);
        else if (exc->strings[s]) print_quoted(p->out, exc->strings[s]);
        else ilc__text_puts(p->out, "null");
        s++;
    }
    ilc__text_putc(p->out, ')');
}

static void print_operands(printer *p, const ilc__ir_value *value, const ilc__ir_block *block)
{
    switch (value->op) {
    case ILC__OP_CONST: print_const(p, value); return;
    case ILC__OP_PARAM:
        ilc__text_putc(p->out, ' ');
        print_label(p, value->var, false);
        return;
    case ILC__OP_PHI: print_phi(p, value, block); return;
    case ILC__OP_CALL:
        if (value->u.callee == p->func) {
            ilc__text_puts(p->out, value->again ? " again (" : " self (");
            print_args(p, value, "");
            ilc__text_putc(p->out, ')');
            return;
        }
        ilc__text_putc(p->out, ' ');
        print_result(p->out, value->u.callee);
        ilc__text_puts(p->out, value->u.callee->may_trap ? " traps " : " ");
        print_quoted(p->out, value->u.callee->name ? value->u.callee->name : "");
        ilc__text_puts(p->out, " (");
        print_args(p, value, "");
        ilc__text_putc(p->out, ')');
        return;
    case ILC__OP_NEWEXC:
        ilc__text_putc(p->out, ' ');
        print_exception(p, value);
        return;
    case ILC__OP_SLOTADDR:
    case ILC__OP_NEWARR:
        ilc__text_putc(p->out, ' ');
        print_slot_label(p, value->u.slot, false);
        if (value->arg_count) print_args(p, value, ", ");
        return;
    case ILC__OP_FIELDADDR:
        print_args(p, value, " ");
        ilc__text_puts(p->out, ", ");
        print_field_name(p->out, value->layout && value->u.field < value->layout->field_count
                                     ? value->layout->fields[value->u.field].name
                                     : "?");
        return;
    default: print_args(p, value, " "); return;
    }
}

static void print_targets(printer *p, const ilc__ir_value *value, const ilc__ir_block *block)
{
    if (value->op != ILC__OP_JUMP && value->op != ILC__OP_BRANCH && value->op != ILC__OP_SWITCH) return;
    for (uint32_t i = 0; i < block->succs.count; i++)
        ilc__text_printf(p->out, "%s b%u", i || value->arg_count ? "," : "", block->succs.items[i]);
}

/* Operations of type "any" say theirs behind the name; loads and stores say their element. */
static void print_name(printer *p, const ilc__ir_value *value)
{
    ilc__text_puts(p->out, ilc__op_info_of(value->op)->text);
    switch (value->op) {
    case ILC__OP_CONST:
    case ILC__OP_PHI:
    case ILC__OP_COPY:
    case ILC__OP_LEN: ilc__text_printf(p->out, ".%s", ilc__ir_type_name(value->type)); break;
    case ILC__OP_LOAD:
        ilc__text_printf(p->out, ".%s", ilc_storage_name(value->storage));
        for (uint32_t i = 0; value->type == ILC__IR_REF && i <= value->nested; i++) ilc__text_puts(p->out, "[]");
        break;
    case ILC__OP_STORE:
    case ILC__OP_LOADIND:
    case ILC__OP_STOREIND:
    case ILC__OP_ELEMADDR:
    case ILC__OP_SPANOF:
    case ILC__OP_SPAN:
    case ILC__OP_SPANAT:
    case ILC__OP_DATAADDR:
    case ILC__OP_ADDADDR:
    case ILC__OP_NEWARR:
        if (value->layout)
            ilc__text_puts(p->out, ".struct"), ilc__text_putc(p->out, ' '),
                print_quoted(p->out, value->layout->name);
        else
            ilc__text_printf(p->out, ".%s", ilc_storage_name(value->storage));
        break;
    default: break;
    }
}

static void print_value(printer *p, ilc__ref ref, const ilc__ir_block *block)
{
    const ilc__ir_value *value = &p->func->values.items[ref];
    ilc__text_puts(p->out, "  ");
    if (value->type != ILC__IR_VOID) {
        print_ref(p, ref);
        ilc__text_puts(p->out, " = ");
    }
    print_name(p, value);
    print_operands(p, value, block);
    print_targets(p, value, block);
    if (value->safe) ilc__text_puts(p->out, " safe");
    if (value->nonzero) ilc__text_puts(p->out, " nonzero");
    if (value->var && value->op != ILC__OP_PARAM) {
        ilc__text_puts(p->out, " [");
        print_label(p, value->var, false);
        ilc__text_putc(p->out, ']');
    }
    if (value->has_il) ilc__text_printf(p->out, " @%04x", value->il);
}

typedef enum print_style { PLAIN, SOURCED, STABLE } print_style;

static void print_func(const ilc__ir_func *func, const ilc__ir_notes *notes, print_style style, ilc__text *out)
{
    bool sourced = style == SOURCED && func->method;
    printer p = {
        .func = func, .out = out, .number = ILC__NEW_ARRAY(func->arena, uint32_t, func->values.count)};
    uint32_t next = 1;
    p.by_name = names_to_show(func, var_name, func->vars.count);
    p.slot_by_name = names_to_show(func, slot_name, func->slots.count);
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            ilc__ref ref = block->list.items[i];
            if (ref < func->values.count && func->values.items[ref].type != ILC__IR_VOID && !p.number[ref])
                p.number[ref] = style == STABLE ? ref : next++;
        }
    }
    print_head(&p);
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        ilc__point           last = {0};
        ilc__text_printf(out, "b%u: @%04x\n", b, block->il);
        for (uint32_t i = 0; i < block->list.count; i++) {
            ilc__ref ref = block->list.items[i];
            if (ref == 0 || ref >= func->values.count) {
                ilc__text_printf(out, "  ?%u\n", ref);
                continue;
            }
            const ilc__ir_value *value = &func->values.items[ref];
            if (sourced && value->has_il) ilc__source_comment(out, "  ;", func->method, value->il, &last);
            print_value(&p, ref, block);
            if (notes && notes->ref == ref) ilc__text_printf(out, "   ; <-- %s", notes->note);
            ilc__text_putc(out, '\n');
        }
    }
}

void ilc__ir_print_noted(const ilc__ir_func *func, const ilc__ir_notes *notes, ilc__text *out)
{
    print_func(func, notes, PLAIN, out);
}

void ilc__ir_print(const ilc__ir_func *func, ilc__text *out)
{
    print_func(func, NULL, PLAIN, out);
}

void ilc__ir_print_sourced(const ilc__ir_func *func, ilc__text *out)
{
    print_func(func, NULL, SOURCED, out);
}

void ilc__ir_print_stable(const ilc__ir_func *func, ilc__text *out)
{
    print_func(func, NULL, STABLE, out);
}
