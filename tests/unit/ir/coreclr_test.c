/* coreclr_test.c - what the lifter makes of each instruction and library method, and what ops.def computes
 * for it, against CoreCLR's own answers (tools/arith-answers), bit by bit. */
#include <stdio.h>

#include "unit.h"

#include "ir/lift.h"

enum { MAX_VALUES = 512 };

typedef struct values {
    char     name[16];
    size_t   count;
    uint64_t bits[MAX_VALUES];
} values;

typedef struct table {
    fixture *f;
    char    *text, *at;
    values   sets[16];
    size_t   set_count, checked, wrong;
} table;

static void open_table(table *t, fixture *f, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/unit/interp/data/%s", ILCUDA_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    if (!file) skip();
    memset(t, 0, sizeof *t);
    t->f = f;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    t->text = calloc(1, (size_t)size + 1);
    assert_non_null(t->text);
    assert_int_equal(fread(t->text, 1, (size_t)size, file), size);
    t->at = t->text;
    fclose(file);
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
    for (char *word; (word = strtok(NULL, " ")) != NULL;)
        v->bits[v->count++] = strtoull(word, NULL, 16);
}

static const values *find_values(const table *t, const char *name)
{
    for (size_t i = 0; i < t->set_count; i++)
        if (strcmp(t->sets[i].name, name) == 0) return &t->sets[i];
    fail_msg("no values %s", name);
    return NULL;
}

/* --- one instruction lifted over parameters
 * ------------------------------------------------------------------ */

typedef struct lifted {
    ilc__lift       l;
    ilc__lift_block block;
    ilc__insn       insns[3];
    ilc__lift_slot  stack[8];
    ilc__ref        params[2], result;
    bool            is_branch, inverted;
} lifted;

static ilc_storage storage_named(const char *name, size_t length)
{
    for (int s = 0; s < ILC_STORAGE_COUNT; s++)
        if (strlen(ilc_storage_name((ilc_storage)s)) == length &&
            strncmp(ilc_storage_name((ilc_storage)s), name, length) == 0)
            return (ilc_storage)s;
    fail_msg("no storage %s", name);
    return ILC_VOID;
}

static ilc_storage storage_of_kind(const char *kind)
{
    static const struct {
        const char *name;
        ilc_storage storage;
    } kinds[] = {{"i4", ILC_I32}, {"i8", ILC_I64}, {"r4", ILC_F32}, {"r8", ILC_F64}};
    for (size_t i = 0; i < 4; i++)
        if (strncmp(kinds[i].name, kind, 2) == 0) return kinds[i].storage;
    return ILC_VOID;
}

static ilc__opcode opcode_named(const char *name, size_t length)
{
    for (int op = 0; op < ILC__IL_COUNT; op++)
        if (strlen(ilc__opcode_name((ilc__opcode)op)) == length &&
            strncmp(ilc__opcode_name((ilc__opcode)op), name, length) == 0)
            return (ilc__opcode)op;
    fail_msg("no instruction %s", name);
    return ILC__IL_COUNT;
}

static void start(lifted *x, fixture *f, const char *const *kinds, uint32_t count)
{
    ilc__arena *arena = &f->ctx.arena;
    *x = (lifted){0};
    x->l.func = ilc__ir_func_create(&f->ctx, arena, "F");
    x->l.arena = arena;
    x->l.blocks = &x->block;
    x->l.block_count = 1;
    x->l.stack = x->stack;
    x->l.body.max_stack = 8;
    x->l.body.insns = x->insns;
    ilc__ir_add_block(x->l.func, 0);
    for (uint32_t i = 0; i < count; i++) {
        ilc_storage storage = storage_of_kind(kinds[i]);
        uint32_t    var =
            ilc__ir_add_var(x->l.func, (ilc__ir_var){.name = "p", .storage = storage, .is_param = true});
        x->params[i] = ilc__ir_emit(x->l.func, 0, ILC__OP_PARAM, ilc__storage_ir_type(storage), 0, NULL);
        x->l.func->values.items[x->params[i]].var = var;
        assert_int_equal(ilc__lift_push_ref(&x->l, x->params[i]), ILC_OK);
    }
    x->l.func->param_count = count;
}

/* "conv.r.un+nop+conv.r4": instructions in a row. */
static void lift_instructions(lifted *x, fixture *f, const char *op)
{
    for (const char *at = op; *at;) {
        size_t length = strcspn(at, "+");
        x->insns[x->block.end++].op = opcode_named(at, length);
        at += length + (at[length] == '+');
    }
    for (uint32_t i = 0; i < x->block.end; i++) {
        x->l.insn = &x->insns[i];
        x->l.skip_next = false;
        assert_ok(f, ilc__lift_insn(&x->l));
        if (x->l.skip_next) i++;
    }
    bool branches = ilc__opcode_flow(x->insns[0].op) == ILC__FLOW_COND;
    x->result = branches ? x->l.condition : x->stack[0].ref;
    x->is_branch = branches;
    x->inverted = branches && x->l.inverted;
    assert_int_equal(x->l.depth, branches ? 0 : 1);
}

/* "Math.Max(SByte,SByte)" */
static void lift_library(lifted *x, fixture *f, const char *op, uint32_t count)
{
    char        type[32], name[32], params[64];
    const char *dot = strchr(op, '.'), *open = strchr(op, '(');
    size_t      length = strcspn(open + 1, ",)");
    ilc__ref    args[2] = {0};
    snprintf(type, sizeof type, "System.%.*s", (int)(dot - op), op);
    snprintf(name, sizeof name, "%.*s", (int)(open - dot - 1), dot + 1);
    snprintf(params, sizeof params, "%.*s%s%.*s", (int)length, open + 1, count == 2 ? "," : "",
             count == 2 ? (int)length : 0, open + 1);
    const char *text = ilc__lib_operation(type, name, params);
    if (!text) fail_msg("%s has no row", op);
    ilc__op row = ilc__op_by_text(text);
    assert_int_not_equal(row, ILC__OP_NONE);
    assert_int_equal(strlen(ilc__op_info_of(row)->operands), count);
    for (uint32_t i = 0; i < count; i++)
        assert_ok(f, ilc__lift_coerce(&x->l, x->stack[i], storage_named(open + 1, length), &args[i]));
    x->result = ilc__lift_emit(&x->l, row, ILC__IR_VOID, count, args[0], args[1]);
}

static void lift(lifted *x, fixture *f, const char *op, const char *const *kinds, uint32_t count)
{
    start(x, f, kinds, count);
    if (strncmp(op, "Math", 4) == 0)
        lift_library(x, f, op, count);
    else
        lift_instructions(x, f, op);
    ilc__ir_emit(x->l.func, 0, ILC__OP_RETURN, ILC__IR_VOID, 1,
                 &x->result); /* so that the verifier can look at it */
    ilc__ir_type type = x->l.func->values.items[x->result].type;
    x->l.func->ret = type == ILC__IR_I32   ? ILC_I32
                     : type == ILC__IR_I64 ? ILC_I64
                     : type == ILC__IR_F32 ? ILC_F32
                                           : ILC_F64;
    assert_ok(f, ilc__ir_verify(x->l.func));
}

/* --- running it
 * -------------------------------------------------------------------------------------------------- */

static bool evaluate(const lifted *x, const uint64_t *args, uint64_t *out, ilc__exception_id *exception)
{
    uint64_t            bits[64] = {0};
    const ilc__ir_func *func = x->l.func;
    assert_true(func->values.count <= 64);
    for (uint32_t i = 0; i < func->blocks.items[0].list.count; i++) {
        ilc__ref             ref = func->blocks.items[0].list.items[i];
        const ilc__ir_value *value = &func->values.items[ref];
        if (value->op == ILC__OP_PARAM)
            bits[ref] = args[value->var - 1];
        else if (value->op == ILC__OP_CONST)
            bits[ref] = value->u.bits;
        else if (value->op < ILC__OP_LAST_COMPUTE &&
                 !ilc__op_eval3(value->op, bits[value->args[0]], value->arg_count > 1 ? bits[value->args[1]] : 0,
                                value->arg_count > 2 ? bits[value->args[2]] : 0, &bits[ref], exception))
            return false;
    }
    *out = bits[x->result];
    return true;
}

/* As the tables write it. */
static void print_result(char text[32], const lifted *x, const uint64_t *args)
{
    static const char letters[] = {[ILC__EXC_OVERFLOW] = 'O',
                                   [ILC__EXC_DIVIDE_BY_ZERO] = 'Z',
                                   [ILC__EXC_ABS_OVERFLOW] = 'G',
                                   [ILC__EXC_ARITHMETIC_NAN] = 'A'};
    ilc__exception_id exception;
    uint64_t          bits;
    if (!evaluate(x, args, &bits, &exception)) {
        snprintf(text, 32, "%c", letters[exception]);
        return;
    }
    if (x->is_branch) bits = ((uint32_t)bits != 0) != x->inverted;
    switch (x->l.func->values.items[x->result].type) {
    case ILC__IR_F32:
        snprintf(text, 32, (bits & 0x7fffffff) > 0x7f800000 ? "N" : "%x", (unsigned)bits);
        break;
    case ILC__IR_F64:
        snprintf(text, 32, (bits & INT64_MAX) > 0x7ff0000000000000 ? "N" : "%llx", (unsigned long long)bits);
        break;
    case ILC__IR_I64: snprintf(text, 32, "%llx", (unsigned long long)bits); break;
    default: snprintf(text, 32, "%x", (unsigned)bits); break;
    }
}

static void check_one(table *t, const lifted *x, const char *op, const uint64_t *args, const char *expected)
{
    char text[32];
    print_result(text, x, args);
    t->checked++;
    if (strcmp(text, expected) == 0) return;
    if (t->wrong++ < 40)
        print_error("%s of %llx, %llx: %s instead of %s\n", op, (unsigned long long)args[0],
                    (unsigned long long)args[1], text, expected);
}

static void check_binary(table *t, char *line)
{
    char   op[64], left[16], right[16];
    lifted x;
    assert_int_equal(sscanf(line, "op %63s %15s %15s", op, left, right), 3);
    const values *a = find_values(t, left), *b = find_values(t, right);
    lift(&x, t->f, op, (const char *[]){left, right}, 2);
    bool digits = op[0] == 'b' || op[0] == 'c';
    for (size_t i = 0; i < a->count; i++) {
        char *row = next_line(t), digit[2] = {0}, *word = NULL;
        assert_non_null(row);
        for (size_t j = 0; j < b->count; j++) {
            if (digits)
                digit[0] = row[j], word = digit;
            else
                word = strtok(j ? NULL : row, " ");
            assert_non_null(word);
            check_one(t, &x, op, (uint64_t[]){a->bits[i], b->bits[j]}, word);
        }
    }
}

static void check_unary(table *t, char *line)
{
    char   op[64], type[16];
    lifted x;
    assert_int_equal(sscanf(line, "op %63s %15s", op, type), 2);
    const values *a = find_values(t, type);
    lift(&x, t->f, op, (const char *[]){type}, 1);
    char *row = next_line(t);
    assert_non_null(row);
    for (size_t i = 0; i < a->count; i++) {
        char *word = strtok(i ? NULL : row, " ");
        assert_non_null(word);
        check_one(t, &x, op, (uint64_t[]){a->bits[i], 0}, word);
    }
}

static void check_table(fixture *f, const char *name, void (*check)(table *, char *), size_t at_least)
{
    table t;
    open_table(&t, f, name);
    for (char *line; (line = next_line(&t)) != NULL;) {
        if (strncmp(line, "values ", 7) == 0)
            read_values(&t, line + 7);
        else
            check(&t, line);
    }
    print_message("%s: %zu answers\n", name, t.checked);
    free(t.text);
    assert_int_equal(t.wrong, 0);
    assert_true(t.checked >= at_least);
}

static void instructions_of_two_operands_give_coreclr_bits(void **state)
{
    check_table(*state, "binary.txt", check_binary, 250000);
}

static void conversions_and_instructions_of_one_operand_give_coreclr_bits(void **state)
{
    check_table(*state, "unary.txt", check_unary, 15000);
}

/* type, kinds, strings with commas, message; tab-separated. */
static void exceptions_give_coreclr_messages(void **state)
{
    table  t;
    size_t unknown = 0;
    open_table(&t, *state, "exceptions.txt");
    for (char *line; (line = next_line(&t)) != NULL;) {
        char       *fields[4] = {line, NULL, NULL, NULL};
        const char *strings[4] = {NULL};
        size_t      count = 0;
        for (int i = 1; i < 4; i++) {
            fields[i] = strchr(fields[i - 1], '\t');
            assert_non_null(fields[i]);
            *fields[i]++ = 0;
        }
        for (char *at = fields[2]; count < 4 && count < strspn(fields[1], "s"); count++) {
            size_t length = strcspn(at, ",");
            bool   last = !at[length];
            at[length] = 0;
            strings[count] = strcmp(at, "-") == 0 ? NULL : at;
            if (!last) at += length + 1;
        }
        char *newline = strstr(fields[3], "\\n");
        if (newline) {
            *newline = '\n';
            memmove(newline + 1, newline + 2, strlen(newline + 2) + 1);
        }
        const char *message = ilc__lib_exception_message(&t.f->ctx.arena, fields[0], fields[1], strings);
        if (!message) {
            unknown++;
            continue;
        }
        assert_string_equal(message, fields[3]);
        t.checked++;
    }
    print_message("%zu messages, %zu constructors without a row\n", t.checked, unknown);
    free(t.text);
    assert_true(t.checked >= 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(instructions_of_two_operands_give_coreclr_bits),
        TEST(conversions_and_instructions_of_one_operand_give_coreclr_bits),
        TEST(exceptions_give_coreclr_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
