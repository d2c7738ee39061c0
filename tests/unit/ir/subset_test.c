/* subset_test.c - every instruction of Partition III has its method in OpcodesIl.dll: it lifts where
 * subset.def says so, and is refused by name where it says NO. That the answers are right:
 * tests/differential. */
#include "fixtures.h"
#include "ir/lift.h"

/* "ldind_i4" for ldind.i4, "tail" for tail. */
static const char *method_name(ilc__opcode op)
{
    static char name[32];
    size_t      length = strlen(ilc__opcode_name(op));
    snprintf(name, sizeof name, "%s", ilc__opcode_name(op));
    if (name[length - 1] == '.') name[length - 1] = 0;
    for (char *c = name; *c; c++)
        if (*c == '.') *c = '_';
    return name;
}

typedef struct search {
    ilc__opcode op;
    bool        found;
} search;

static bool holds(fixture *f, ilc__arena *arena, const ilc__method *method, ilc__opcode op)
{
    ilc__body body;
    bool      found = false;
    assert_ok(f, ilc__body_decode(&f->ctx, arena, method, &body));
    for (uint32_t i = 0; i < body.insn_count; i++)
        found |= body.insns[i].op == op;
    return found;
}

static void lifts_or_is_refused(fixture *f, const ilc__method *method, void *user)
{
    search      *s = user;
    ilc__arena   arena;
    ilc__ir_unit unit;
    const char  *name = ilc__opcode_name(s->op);
    if (strcmp(method->type_name, "Opcodes") != 0 || strcmp(method->name, method_name(s->op)) != 0) return;
    s->found = true;
    ilc__arena_init(&arena, &f->ctx.heap);
    if (!holds(f, &arena, method, s->op)) fail_msg("the method %s does not hold %s", method->name, name);
    ilc_status status = ilc__ir_lift(&f->ctx, &arena, method, &unit);
    if (s->op == ILC__IL_CONSTRAINED && status != ILC_OK) { /* of a number, whose methods need .NET */
        assert_int_equal(status, ILC_UNSUPPORTED);
        assert_contains(last_diag(f), "call to System.Object.GetHashCode");
    } else if (s->op == ILC__IL_LDSFLDA) { /* of what is no literal */
        assert_int_equal(status, ILC_UNSUPPORTED);
        assert_contains(last_diag(f), "ldsflda of Opcodes.Kept");
    } else if (ilc__lift_in_subset(s->op)) {
        if (status != ILC_OK) fail_msg("%s is in subset.def: %s", name, last_diag(f));
    } else if (status != ILC_UNSUPPORTED) {
        fail_msg("%s is not in subset.def, and was not refused", name);
    } else {
        assert_contains(last_diag(f), name);
    }
    ilc__arena_free(&arena);
}

static void every_instruction_lifts_or_is_refused_by_name(void **state)
{
    for (ilc__opcode op = 0; op < ILC__IL_COUNT; op++) {
        search s = {.op = op};
        each_method_of(*state, ILCUDA_FIXTURES "/bin/OpcodesIl.dll", lifts_or_is_refused, &s);
        if (!s.found) fail_msg("OpcodesIl.dll has no method for %s", ilc__opcode_name(op));
    }
}

/* A call's handler is asked after its callee was accepted. */
static void the_subset_is_what_the_lifter_handles(void **state)
{
    (void)state;
    for (ilc__opcode op = 0; op < ILC__IL_COUNT; op++) {
        if (ilc__lift_handles(op) == ilc__lift_in_subset(op)) continue;
        fail_msg("%s: the lifter %s it, subset.def says otherwise", ilc__opcode_name(op),
                 ilc__lift_handles(op) ? "handles" : "does not handle");
    }
}

/* --- library methods --- */

typedef struct library_row {
    const char *type, *method, *params;
    bool        found;
} library_row;

static library_row library[] = {
#define LIBRARY(type, method, params, operation) {type, method, params, false},
#include "lib/math.def"
#undef LIBRARY
};

/* "Math_Max_Int32_Int32" */
static bool is_method_of(const library_row *row, const char *name)
{
    char wanted[128];
    snprintf(wanted, sizeof wanted, "%s_%s_%s", strrchr(row->type, '.') + 1, row->method, row->params);
    for (char *c = wanted; *c; c++)
        if (*c == ',') *c = '_';
    return strcmp(wanted, name) == 0;
}

static void is_of_the_library(fixture *f, const ilc__method *method, void *user)
{
    ilc__arena   arena;
    ilc__ir_unit unit;
    (void)user;
    ilc__arena_init(&arena, &f->ctx.heap);
    for (size_t i = 0; i < sizeof library / sizeof library[0]; i++) {
        if (!is_method_of(&library[i], method->name)) continue;
        library[i].found = true;
        assert_ok(f, ilc__ir_lift(&f->ctx, &arena, method, &unit));
    }
    ilc__arena_free(&arena);
}

static void every_library_method_has_its_answers(void **state)
{
    each_method_of(*state, ILCUDA_FIXTURES "/bin/LibraryIl.dll", is_of_the_library, NULL);
    for (size_t i = 0; i < sizeof library / sizeof library[0]; i++) {
        const library_row *row = &library[i];
        if (!row->found)
            fail_msg("LibraryIl.dll has no method for %s.%s(%s)", row->type, row->method, row->params);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_instruction_lifts_or_is_refused_by_name),
        TEST(the_subset_is_what_the_lifter_handles),
        TEST(every_library_method_has_its_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
