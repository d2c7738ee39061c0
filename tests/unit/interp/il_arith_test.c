/* il_arith_test.c - the judge's arithmetic against CoreCLR's own answers, bit by bit (tools/arith-answers). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "interp/il_arith.h"

enum { MAX_VALUES = 512 };

typedef struct values {
    char     name[16];
    size_t   count;
    uint64_t bits[MAX_VALUES];
} values;

typedef struct table {
    char  *text, *at;
    values sets[16];
    size_t set_count;
    size_t checked, wrong;
} table;

static void open_table(table *t, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/unit/interp/data/%s", ILCUDA_SOURCE_DIR, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    memset(t, 0, sizeof *t);
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    assert_true(size > 0);
    rewind(f);
    t->text = malloc((size_t)size + 1);
    assert_non_null(t->text);
    assert_int_equal(fread(t->text, 1, (size_t)size, f), size);
    t->text[size] = 0;
    t->at = t->text;
    fclose(f);
}

static char *next_line(table *t)
{
    while (t->at && *t->at) {
        char *line = t->at, *end = strchr(line, '\n');
        if (end) *end = 0;
        t->at = end ? end + 1 : NULL;
        if (*line && *line != '#') return line;
    }
    return NULL;
}

static void read_values(table *t, char *line)
{
    values *v = &t->sets[t->set_count++];
    snprintf(v->name, sizeof v->name, "%s", strtok(line, " "));
    for (char *word; (word = strtok(NULL, " ")) != NULL;) v->bits[v->count++] = strtoull(word, NULL, 16);
}

static const values *find_values(const table *t, const char *name)
{
    for (size_t i = 0; i < t->set_count; i++)
        if (strcmp(t->sets[i].name, name) == 0) return &t->sets[i];
    fail_msg("no values %s", name);
    return NULL;
}

static ilc__il_kind kind_of(const char *name)
{
    if (strncmp(name, "i4", 2) == 0) return ILC__K_I4;
    if (strncmp(name, "i8", 2) == 0) return ILC__K_I8;
    return strncmp(name, "r4", 2) == 0 ? ILC__K_R4 : ILC__K_R8;
}

static ilc__il_slot slot_of(ilc__il_kind kind, uint64_t bits)
{
    ilc__il_slot slot = {0};
    uint32_t     low = (uint32_t)bits;
    if (kind == ILC__K_I4 || kind == ILC__K_R4) memcpy(&slot, &low, 4);
    else memcpy(&slot, &bits, 8);
    return slot;
}

/* The result as the tables write it. */
static void print_result(char text[32], ilc__il_trap trap, ilc__il_kind kind, const ilc__il_slot *slot)
{
    static const char letters[] = {[ILC__IL_TRAP_OVERFLOW] = 'O', [ILC__IL_TRAP_DIVIDE] = 'Z',
                                   [ILC__IL_TRAP_ABS] = 'G', [ILC__IL_TRAP_NAN] = 'A'};
    if (trap != ILC__IL_TRAP_NONE) snprintf(text, 32, "%c", letters[trap]);
    else if ((kind == ILC__K_R4 && slot->r4 != slot->r4) || (kind == ILC__K_R8 && slot->r8 != slot->r8))
        snprintf(text, 32, "N");
    else if (kind == ILC__K_I8 || kind == ILC__K_R8) snprintf(text, 32, "%llx", (unsigned long long)slot->i8);
    else snprintf(text, 32, "%x", (unsigned)slot->i4);
}

static ilc__opcode opcode_of(const char *name)
{
    static const char *const names[] = {
#define OPCODE(id, name, code, operand, pop, push, flow) name,
#include "il/opcodes.def"
#undef OPCODE
    };
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (strcmp(names[i], name) == 0) return (ilc__opcode)i;
    fail_msg("no instruction %s", name);
    return ILC__IL_COUNT;
}

/* "Math.Abs(SByte)" as a plan: the argument is cut to its storage, then the row runs. */
static bool call_plan(const char *op, ilc__il_kind kind, ilc__il_kind right, ilc__il_plan *plan)
{
    static const struct {
        const char *name;
        ilc_storage storage;
    } storages[] = {
#define ILC_STORAGE(name, clr, size, is_signed, is_float) {clr, ILC_##name},
#include "ilcuda/storage.def"
#undef ILC_STORAGE
    };
    char        text[64], type[32];
    const char *open = strchr(op, '('), *dot = strchr(op, '.');
    size_t      length = strcspn(open + 1, ",)");
    snprintf(text, sizeof text, "%.*s", (int)(open - dot - 1), dot + 1);
    snprintf(type, sizeof type, "System.%.*s", (int)(dot - op), op);
    for (size_t i = 0; i < sizeof storages / sizeof *storages; i++) {
        if (strlen(storages[i].name) != length || strncmp(storages[i].name, open + 1, length) != 0) continue;
        bool same;
        plan->row = ilc__il_known_callee(type, text, storages[i].storage, right == ILC__K_NONE ? 1 : 2);
        plan->result = ilc__il_row_result(plan->row);
        if (!ilc__il_coerce(kind, storages[i].storage, &plan->widen_left, &same)) return false;
        if (right != ILC__K_NONE) plan->widen_right = plan->widen_left;
        return plan->row != ILC__ROW_NONE;
    }
    return false;
}

static void find_plan(const char *op, ilc__il_kind left, ilc__il_kind right, ilc__il_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    bool found;
    if (strncmp(op, "Math", 4) == 0) found = call_plan(op, left, right, plan);
    else found = ilc__il_plan_find(opcode_of(op), left, right, false, plan);
    if (!found) fail_msg("no row for %s", op);
    if (op[0] == 'b') plan->result = ILC__K_I4;
}

static void check_one(table *t, const char *op, const ilc__il_plan *plan, ilc__il_slot *slots, const char *expected)
{
    char         text[32];
    ilc__il_slot before[2] = {slots[0], slots[1]};
    if (plan->widen_left) ilc__il_row_run(plan->widen_left, slots);
    if (plan->widen_right) ilc__il_row_run(plan->widen_right, slots + 1);
    ilc__il_trap trap = ilc__il_row_run(plan->row, slots);
    print_result(text, trap, plan->result, slots);
    t->checked++;
    if (strcmp(text, expected) == 0) return;
    if (t->wrong++ < 40)
        print_error("%s of %llx, %llx: %s instead of %s\n", op, (unsigned long long)before[0].i8,
                    (unsigned long long)before[1].i8, text, expected);
}

static void check_binary(table *t, char *line)
{
    char         op[64], left[16], right[16];
    ilc__il_plan plan;
    assert_int_equal(sscanf(line, "op %63s %15s %15s", op, left, right), 3);
    const values *a = find_values(t, left), *b = find_values(t, right);
    find_plan(op, kind_of(left), kind_of(right), &plan);
    bool digits = op[0] == 'b' || op[0] == 'c';
    for (size_t i = 0; i < a->count; i++) {
        char *row = next_line(t), digit[2] = {0}, *word = NULL;
        assert_non_null(row);
        for (size_t j = 0; j < b->count; j++) {
            if (digits) digit[0] = row[j], word = digit;
            else word = strtok(j ? NULL : row, " ");
            assert_non_null(word);
            ilc__il_slot slots[2] = {slot_of(kind_of(left), a->bits[i]), slot_of(kind_of(right), b->bits[j])};
            check_one(t, op, &plan, slots, word);
        }
    }
}

/* conv.r.un with conv.r4 directly behind it, as the translator joins them. */
static void find_unary_plan(const char *op, ilc__il_kind kind, ilc__il_plan *plan, ilc__il_plan *then)
{
    memset(then, 0, sizeof *then);
    if (strcmp(op, "conv.r.un+conv.r4") == 0) {
        ilc__il_row joined = kind == ILC__K_I4 ? ILC__ROW_CONV_R4_UN_I4 : ILC__ROW_CONV_R4_UN_I8;
        if (kind == ILC__K_I4 || kind == ILC__K_I8) *plan = (ilc__il_plan){joined, 0, 0, ILC__K_R4};
        else find_plan("conv.r4", kind, ILC__K_NONE, plan);
        return;
    }
    if (strcmp(op, "conv.r.un+nop+conv.r4") == 0) {
        find_plan("conv.r.un", kind, ILC__K_NONE, plan);
        find_plan("conv.r4", ILC__K_R8, ILC__K_NONE, then);
        plan->widen_left = plan->row;
        plan->row = then->row;
        plan->result = ILC__K_R4;
        return;
    }
    find_plan(op, kind, ILC__K_NONE, plan);
}

static void check_unary(table *t, char *line)
{
    char         op[64], type[16];
    ilc__il_plan plan, then;
    assert_int_equal(sscanf(line, "op %63s %15s", op, type), 2);
    const values *a = find_values(t, type);
    find_unary_plan(op, kind_of(type), &plan, &then);
    char *row = next_line(t);
    assert_non_null(row);
    for (size_t i = 0; i < a->count; i++) {
        char *word = strtok(i ? NULL : row, " ");
        assert_non_null(word);
        ilc__il_slot slots[2] = {slot_of(kind_of(type), a->bits[i])};
        check_one(t, op, &plan, slots, word);
    }
}

static void check_table(const char *name, void (*check)(table *, char *), size_t at_least)
{
    table t;
    open_table(&t, name);
    for (char *line; (line = next_line(&t)) != NULL;) {
        if (strncmp(line, "values ", 7) == 0) read_values(&t, line + 7);
        else check(&t, line);
    }
    print_message("%s: %zu answers\n", name, t.checked);
    free(t.text);
    assert_int_equal(t.wrong, 0);
    assert_true(t.checked >= at_least);
}

static void every_instruction_of_two_operands_gives_coreclr_bits(void **state)
{
    (void)state;
    check_table("binary.txt", check_binary, 250000);
}

static void every_conversion_and_unary_instruction_gives_coreclr_bits(void **state)
{
    (void)state;
    check_table("unary.txt", check_unary, 15000);
}

static void instructions_have_no_meaning_on_kinds_that_they_do_not_take(void **state)
{
    (void)state;
    ilc__il_plan plan;
    assert_false(ilc__il_plan_find(ILC__IL_AND, ILC__K_R4, ILC__K_R4, false, &plan));
    assert_false(ilc__il_plan_find(ILC__IL_ADD, ILC__K_I4, ILC__K_R8, false, &plan));
    assert_false(ilc__il_plan_find(ILC__IL_ADD, ILC__K_ARRAY, ILC__K_I4, false, &plan));
    assert_false(ilc__il_plan_find(ILC__IL_ADD_OVF, ILC__K_R8, ILC__K_R8, false, &plan));
    assert_false(ilc__il_plan_find(ILC__IL_CLT, ILC__K_ARRAY, ILC__K_NULL, false, &plan));
    assert_false(ilc__il_plan_find(ILC__IL_CGT_UN, ILC__K_ARRAY, ILC__K_ARRAY, false, &plan));
    assert_true(ilc__il_plan_find(ILC__IL_CGT_UN, ILC__K_ARRAY, ILC__K_NULL, false, &plan));
    assert_false(ilc__il_plan_find(ILC__IL_BRTRUE, ILC__K_R8, ILC__K_NONE, false, &plan));
    assert_true(ilc__il_plan_find(ILC__IL_CEQ, ILC__K_ARRAY, ILC__K_NULL, false, &plan));
}

static void stores_cut_integers_and_round_floats(void **state)
{
    (void)state;
    ilc__il_row  row;
    bool         same;
    ilc__il_slot slot = {.i4 = 0x1234567};
    assert_true(ilc__il_coerce(ILC__K_I4, ILC_I8, &row, &same));
    ilc__il_row_run(row, &slot);
    assert_int_equal(slot.i4, 0x67);
    slot.i4 = 0x2;
    assert_true(ilc__il_coerce(ILC__K_I4, ILC_BOOL, &row, &same));
    ilc__il_row_run(row, &slot);
    assert_int_equal(slot.i4, 2);
    slot.r8 = 16777217.0;
    assert_true(ilc__il_coerce(ILC__K_R8, ILC_F32, &row, &same));
    ilc__il_row_run(row, &slot);
    assert_true(slot.r4 == 16777216.0f);
    assert_true(ilc__il_coerce(ILC__K_I4, ILC_U32, &row, &same) && same);
    assert_false(ilc__il_coerce(ILC__K_R4, ILC_I32, &row, &same));
    assert_false(ilc__il_coerce(ILC__K_ARRAY, ILC_I64, &row, &same));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_of_two_operands_gives_coreclr_bits),
        cmocka_unit_test(every_conversion_and_unary_instruction_gives_coreclr_bits),
        cmocka_unit_test(instructions_have_no_meaning_on_kinds_that_they_do_not_take),
        cmocka_unit_test(stores_cut_integers_and_round_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
