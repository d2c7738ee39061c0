/* il_trace.c - one line for each instruction with the stack before it, behind the source: `call --trace`. */
#include "interp/il_code.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_LINE = 4096 };

/* The shortest that reads back to the same. */
static void print_float(ilc__text *line, double value, bool single)
{
    char digits[40];
    for (int precision = 1; precision <= (single ? 9 : 17); precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        bool same = single ? strtof(digits, NULL) == (float)value : strtod(digits, NULL) == value;
        if (value != value || (same && (!strchr(digits, 'e') || fabs(value) >= 1e9 || fabs(value) < 1e-5))) break;
    }
    ilc__text_printf(line, "%s%s", digits, single ? "f" : "");
}

/* A number as it lies in memory. */
static void print_number(ilc__text *line, ilc_storage storage, const uint8_t *at)
{
    int64_t number = 0;
    float   r4;
    double  r8;
    switch (storage) {
    case ILC_F32:
        memcpy(&r4, at, sizeof r4);
        print_float(line, (double)r4, true);
        return;
    case ILC_F64:
        memcpy(&r8, at, sizeof r8);
        print_float(line, r8, false);
        return;
#define CASE(storage, ctype)                                                                                 \
    case storage: {                                                                                          \
        ctype value;                                                                                         \
        memcpy(&value, at, sizeof value);                                                                    \
        number = (int64_t)value;                                                                             \
        break;                                                                                               \
    }
    CASE(ILC_BOOL, uint8_t)
    CASE(ILC_U8, uint8_t)
    CASE(ILC_I8, int8_t)
    CASE(ILC_CHAR, uint16_t)
    CASE(ILC_U16, uint16_t)
    CASE(ILC_I16, int16_t)
    CASE(ILC_U32, uint32_t)
    CASE(ILC_I32, int32_t)
    default: {
        memcpy(&number, at, sizeof number);
        ilc__text_printf(line, "%lldL", (long long)number);
        return;
    }
#undef CASE
    }
    ilc__text_printf(line, "%lld", (long long)number);
}

/* {x: 1.5f, at: {a: 2, b: 3L}}; a layout's nesting is bounded, and so is the line. */
static void print_struct(ilc__text *line, const ilc__layout *layout, const uint8_t *at)
{
    ilc__text_putc(line, '{');
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const ilc__layout_field *field = &layout->fields[i];
        if (i) ilc__text_puts(line, ", ");
        if (line->length > MAX_LINE) {
            ilc__text_puts(line, "...");
            break;
        }
        ilc__text_printf(line, "%s: ", field->name);
        if (field->layout) print_struct(line, field->layout, at + field->offset);
        else print_number(line, field->storage, at + field->offset);
    }
    ilc__text_putc(line, '}');
}

/* A by-ref prints as & and what it leads to. */
static void print_memory(ilc__text *line, const ilc__il_code *code, ilc__il_kind kind, uint32_t detail,
                         const ilc__il_slot *slot)
{
    const uint8_t *at = (const uint8_t *)(uintptr_t)slot->i8;
    if (kind == ILC__K_ADDR) ilc__text_putc(line, '&');
    if (!at) ilc__text_puts(line, "null");
    else if (detail < ILC_STORAGE_COUNT) print_number(line, (ilc_storage)detail, at);
    else if (detail == ILC_STORAGE_COUNT) ilc__text_puts(line, "{...}");
    else print_struct(line, code->layouts.items[detail - ILC_STORAGE_COUNT - 1], at);
}

static void print_string(ilc__text *line, const char *string)
{
    ilc__text_putc(line, '"');
    for (; *string && line->length <= MAX_LINE; string++) ilc__text_putc(line, (unsigned char)*string < 0x20 ? ' ' : *string);
    ilc__text_puts(line, *string ? "..." : "\"");
}

/* "Single[6]", "Single[2,3]" */
static void print_array(ilc__text *line, const ilc_array *array)
{
    ilc__text_printf(line, "%s[", ilc_storage_name(array->elem));
    if (array->rank < 2) ilc__text_printf(line, "%lld", (long long)array->length);
    for (uint32_t d = 0; array->rank > 1 && d < array->rank; d++) ilc__text_printf(line, d ? ",%lld" : "%lld", (long long)array->dims[d]);
    ilc__text_putc(line, ']');
}

static void print_value(ilc__text *line, ilc__il_kind kind, const ilc__il_slot *slot)
{
    const ilc_array         *array = (const ilc_array *)(uintptr_t)slot->i8;
    const ilc__il_exception *exception = (const ilc__il_exception *)(uintptr_t)slot->i8;
    switch (kind) {
    case ILC__K_I4: ilc__text_printf(line, "%ld", (long)slot->i4); break;
    case ILC__K_I8: ilc__text_printf(line, "%lldL", (long long)slot->i8); break;
    case ILC__K_R4: print_float(line, (double)slot->r4, true); break;
    case ILC__K_R8: print_float(line, slot->r8, false); break;
    case ILC__K_ARRAY:
        if (array) print_array(line, array);
        else ilc__text_puts(line, "null");
        break;
    case ILC__K_STRING:
        if (slot->i8) print_string(line, (const char *)(uintptr_t)slot->i8);
        else ilc__text_puts(line, "null");
        break;
    case ILC__K_EXCEPTION: ilc__text_puts(line, exception ? exception->type : "null"); break;
    case ILC__K_NONE: ilc__text_puts(line, slot->i8 ? "a pointer" : "null"); break;
    default: ilc__text_puts(line, "null"); break;
    }
}

/* The lines of the source, where this is the first instruction of them. */
static void trace_source(ilc__il_machine *machine, const ilc__il_code *code, uint32_t il, ilc__arena *arena,
                         const ilc__interp_options *options)
{
    ilc__text text = {.arena = arena};
    ilc__source_comment(&text, "//", code->method, il, &machine->traced);
    for (char *at = text.data; at && *at;) {
        size_t length = strcspn(at, "\n");
        at[length] = 0;
        options->trace(options->trace_user, at);
        at += length + 1;
    }
}

void ilc__il_trace(ilc__il_machine *machine, const ilc__il_code *code, uint32_t pc, const ilc__il_slot *fp,
                   const ilc__interp_options *options)
{
    ilc__arena       arena; /* of this line only */
    const ilc__insn *insn = &code->body.insns[code->sources.items[pc]];
    uint32_t         at = code->stacks.items[pc];
    ilc__arena_init(&arena, &machine->ctx->heap);
    trace_source(machine, code, insn->offset, &arena, options);
    ilc__text line = {.arena = &arena};
    ilc__text_printf(&line, "%s IL_%04x ", code->method->full_name, insn->offset);
    ilc__insn_print(machine->ctx, &arena, &code->body, insn, &line);
    ilc__text_puts(&line, " [");
    uint32_t depth = at < code->kinds.count ? code->kinds.items[at] : 0;
    for (uint32_t i = 0; i < depth; i++) {
        if (i) ilc__text_puts(&line, ", ");
        uint32_t            noted = code->kinds.items[at + 1 + i], detail = noted >> ILC__KIND_BITS;
        ilc__il_kind        kind = (ilc__il_kind)(noted & ((1u << ILC__KIND_BITS) - 1));
        const ilc__il_slot *slot = &fp[code->stack_first + i];
        if (kind == ILC__K_ADDR || kind == ILC__K_STRUCT) print_memory(&line, code, kind, detail, slot);
        else print_value(&line, kind, slot);
    }
    ilc__text_puts(&line, "]");
    options->trace(options->trace_user, ilc__text_string(&line));
    ilc__arena_free(&arena);
}
