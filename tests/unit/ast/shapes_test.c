/* shapes_test.c - the fixtures' methods come back as the statements that their source has: no goto where it has none, and
 * the shapes that compilers make of a statement are that statement. */
#include <glob.h>
#include <stdio.h>

#include "opt/pass.h"
#include "unit.h"

/* --- trees of fixtures ----------------------------------------------------------------------------------------- */

typedef void visitor(void *user, const char *assembly, const ilc__method *method, const ilc__func *func);

/* The method's own tree, or NULL when it is refused. */
static const ilc__func *tree_of(ilc__context *ctx, const ilc__method *method)
{
    ilc__ir_unit ir = {0};
    ilc__unit    unit = {0};
    if (ilc__ir_lift(ctx, &ctx->arena, method, &ir) != ILC_OK) return NULL;
    assert_ok(ctx, ilc__opt_run(ctx, &ir, NULL, NULL));
    assert_ok(ctx, ilc__ast_build(ctx, &ctx->arena, &ir, &unit));
    return unit.funcs.items[unit.funcs.count - 1];
}

static void visit_assembly(const char *path, visitor *visit, void *user)
{
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__set   *set = ilc__set_create(&ctx);
    ilc__image *image = NULL;
    assert_ok(&ctx, ilc__set_open(set, path, &image));
    const char *file = strrchr(path, '/') + 1;
    const char *name = ilc__arena_printf(&ctx.arena, "%.*s", (int)(strrchr(file, '.') - file), file);
    for (uint32_t row = 1; row <= ilc__image_method_count(image); row++) {
        const ilc__method *method = NULL;
        const ilc__func   *func = ilc__image_method(image, row, &method) == ILC_OK ? tree_of(&ctx, method) : NULL;
        if (func) visit(user, name, method, func);
    }
    ilc__set_destroy(set);
    ilc__context_free(&ctx);
}

static bool is_made(const char *path) /* by a generator, gotos and all */
{
    return strstr(path, "/Generated") || strstr(path, "/TrapOrder") || strstr(path, "/Programs");
}

static void visit_all(visitor *visit, void *user)
{
    glob_t found;
    assert_int_equal(glob(ILCUDA_FIXTURES "/bin/*.dll", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (!is_made(found.gl_pathv[i])) visit_assembly(found.gl_pathv[i], visit, user);
    globfree(&found);
}

/* --- gotos ------------------------------------------------------------------------------------------------------- */

/* The methods whose source jumps: `goto case`, or IL by hand. */
static const struct {
    const char *assembly, *method;
    uint32_t    gotos;
} jumps[] = {
    {"CasesIl", "CaseIl_TwoEntries", 3}, /* a loop with two entries */
    {"CasesCs", "Case20_Switch", 1},     /* goto case 5             */
    {"NaturalCs", "Murmur", 2},          /* goto case 2, goto case 1 */
};

static uint32_t gotos_in(const ilc__block *list)
{
    uint32_t count = 0;
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        count += (s->kind == ILC__ST_GOTO) + gotos_in(&s->body) + gotos_in(&s->other);
        for (uint32_t k = 0; k < s->case_count; k++) count += gotos_in(&s->cases[k].body);
    }
    return count;
}

static bool is_build_of(const char *assembly, const char *name)
{
    size_t length = strlen(name);
    return strncmp(assembly, name, length) == 0 && (!assembly[length] || strcmp(assembly + length, "Debug") == 0);
}

static void count_gotos(void *user, const char *assembly, const ilc__method *method, const ilc__func *func)
{
    uint32_t *methods = user, allowed = 0, found = gotos_in(&func->body);
    for (size_t i = 0; i < sizeof jumps / sizeof jumps[0]; i++)
        if (is_build_of(assembly, jumps[i].assembly) && strcmp(method->name, jumps[i].method) == 0) allowed = jumps[i].gotos;
    ++*methods;
    if (found != allowed) fail_msg("%s of %s has %u gotos, not %u", method->name, assembly, found, allowed);
}

static void no_method_has_a_goto_that_its_source_has_not(void **state)
{
    (void)state;
    uint32_t methods = 0;
    visit_all(count_gotos, &methods);
    printf("%u methods\n", methods);
    assert_true(methods > 1500);
}

/* --- statements -------------------------------------------------------------------------------------------------- */

static void put_shape(ilc__context *ctx, const ilc__block *list, ilc__text *out)
{
    static const char *const names[] = {
        [ILC__ST_ASSIGN] = "set",   [ILC__ST_STORE] = "store",       [ILC__ST_STOREIND] = "store", [ILC__ST_COPYMEM] = "copy",
        [ILC__ST_ZEROMEM] = "zero", [ILC__ST_COPYBYTES] = "copy",    [ILC__ST_FILLBYTES] = "fill", [ILC__ST_EVAL] = "eval",
        [ILC__ST_IF] = "if",        [ILC__ST_LOOP] = "loop",         [ILC__ST_WHILE] = "while",    [ILC__ST_DO] = "do",
        [ILC__ST_FOR] = "for",      [ILC__ST_SWITCH] = "switch",     [ILC__ST_BREAK] = "break",    [ILC__ST_CONTINUE] = "continue",
        [ILC__ST_RETURN] = "return", [ILC__ST_THROW] = "throw",      [ILC__ST_LABEL] = "label",    [ILC__ST_GOTO] = "goto"};
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        ilc__text_printf(out, "%s%s", s == list->first ? "" : " ", names[s->kind]);
        if (!s->body.first && !s->case_count) continue;
        ilc__text_puts(out, "(");
        put_shape(ctx, &s->body, out);
        for (uint32_t k = 0; k < s->case_count; k++) {
            ilc__text_puts(out, k ? " | " : "");
            put_shape(ctx, &s->cases[k].body, out);
        }
        if (s->other.first) {
            ilc__text_puts(out, " | ");
            put_shape(ctx, &s->other, out);
        }
        ilc__text_puts(out, ")");
    }
}

typedef struct wanted {
    const char *assembly, *method, *shape;
    bool        found;
} wanted;

static void check_shape(void *user, const char *assembly, const ilc__method *method, const ilc__func *func)
{
    for (wanted *w = user; w->assembly; w++) {
        if (strcmp(assembly, w->assembly) != 0 || strcmp(method->name, w->method) != 0) continue;
        ilc__context ctx;
        ilc__context_init(&ctx);
        ilc__text text = {.arena = &ctx.arena};
        put_shape(&ctx, &func->body, &text);
        if (strcmp(ilc__text_string(&text), w->shape) != 0)
            fail_msg("%s of %s is\n%s\nnot\n%s", method->name, assembly, ilc__text_string(&text), w->shape);
        w->found = true;
        ilc__context_free(&ctx);
    }
}

static void check_shapes(wanted *all)
{
    for (wanted *w = all; w->assembly; w++)
        if (w == all || strcmp(w->assembly, w[-1].assembly) != 0) {
            char path[512];
            snprintf(path, sizeof path, "%s/bin/%s.dll", ILCUDA_FIXTURES, w->assembly);
            visit_assembly(path, check_shape, all);
        }
    for (wanted *w = all; w->assembly; w++)
        if (!w->found) fail_msg("no %s in %s", w->method, w->assembly);
}

static void sparse_cases_and_ranges_are_a_switch(void **state)
{
    (void)state;
    wanted all[] = {
        {"NaturalVb", "GCContent", "set set for(set switch(set set | set)) if(return) return", false},
        {"NaturalVb", "Encode", "switch(return | return | return | return | return)", false},
        {"NaturalVb", "MeltingTemperature", "set set for(switch(set | set)) if(return) return", false},
        {"NaturalVb", "BracketDepth", "set set for(switch(set if(set) | set if(return))) if(return) return", false},
        {"NaturalCs", "Complement", "switch(return | return | return | return | return | return)", false},
        {"NaturalCs", "CountVowels", "set for(set switch(set)) return", false},
        {"NaturalFs", "daysIn", "switch(if(return) return | return) if(return) throw", false},
        {"CasesVb", "Case20_Select", "switch(return | return | set | set | return | set) return", false},
        {"InlineCs", "ChooseLate", "set store set switch(set | set | set | eval) return", false},
        {0}};
    check_shapes(all);
}

static void truths_are_conditions(void **state)
{
    (void)state;
    wanted all[] = {{"NaturalVb", "IsLeapYear", "return", false},
                    {"NaturalVb", "IsDigit", "return", false},
                    {"NaturalCs", "DayOfYear", "set set return", false},
                    {0}};
    check_shapes(all);
}

static void an_exit_at_the_start_of_a_loop_is_no_part_of_its_test(void **state)
{
    (void)state;
    wanted all[] = {{"NaturalVb", "Fir", "set for(if(break) set) return", false}, {0}};
    check_shapes(all);
}

static void counted_loops_have_their_bounds(void **state)
{
    (void)state;
    wanted all[] = {{"CasesFs", "Case31_Range", "set for(set) return", false}, /* F#: the test is against last + 1 */
                    {"CasesFs", "Case31_DownTo", "set for(set) return", false},
                    {"CasesVb", "Case31_StepVariable", "set for(set if(break)) return", false},
                    {"NaturalVb", "CountDown", "set for(set) return", false},
                    {"TutorialFs", "GramDot", "set for(set) return", false},
                    {0}};
    check_shapes(all);
}

static void a_loop_that_begins_another_has_a_header_of_its_own(void **state)
{
    (void)state;
    wanted all[] = {{"NaturalCs", "Partition", "set set loop(while(set) while(set) if(break) set set set set store store set set) return", false},
                    {"NaturalVb", "BinaryGcd", "if(return) if(return) set while(set set set) while(set) do(while(set) if(set set set) set) return", false},
                    {"CasesCs", "Case04_Goto", "set for(for(set if(return)) set) set return", false},
                    {0}};
    check_shapes(all);
}

static void a_conditional_expression_is_one_assignment(void **state)
{
    (void)state;
    wanted all[] = {{"TutorialCs", "PearsonClamp", "set return", false},
                    {"CasesCs", "Case20_DoWhile", "set do(set set) return", false},
                    {0}};
    check_shapes(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_method_has_a_goto_that_its_source_has_not),
                                       cmocka_unit_test(sparse_cases_and_ranges_are_a_switch),
                                       cmocka_unit_test(truths_are_conditions),
                                       cmocka_unit_test(counted_loops_have_their_bounds),
                                       cmocka_unit_test(a_loop_that_begins_another_has_a_header_of_its_own),
                                       cmocka_unit_test(a_conditional_expression_is_one_assignment),
                                       cmocka_unit_test(an_exit_at_the_start_of_a_loop_is_no_part_of_its_test)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
