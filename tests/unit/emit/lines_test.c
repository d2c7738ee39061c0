/* lines_test.c - line maps of emitted CUDA, over all fixtures with debug information. */
#include "../ir/fixtures.h"

#include "emit/emit.h"
#include "opt/pass.h"

#include <ctype.h>
#include <strings.h>

static bool translate(fixture *f, ilc__arena *arena, const ilc__method *method, bool display, ilc__kernel *out)
{
    ilc__ir_unit     ir;
    ilc__unit       *unit = ILC__NEW(arena, ilc__unit);
    ilc__kernel_spec spec;
    if (ilc__ir_lift(&f->ctx, arena, method, &ir) || ilc__opt_run(&f->ctx, &ir, NULL, NULL)) return false;
    if (ilc__ast_build(&f->ctx, arena, &ir, unit)) return false;
    ilc__emit_options options = {.dialect = ILC__DIALECT_CUDA, .checks = true, .display = display, .lines = true};
    if (ilc__kernel_infer(&f->ctx, method, NULL, &spec) == ILC_OK &&
        ilc__emit_kernel(&f->ctx, arena, unit, &spec, &options, out) == ILC_OK)
        return true;
    spec = (ilc__kernel_spec){.mode = ILC__MODE_DEVICE};
    return ilc__emit_kernel(&f->ctx, arena, unit, &spec, &options, out) == ILC_OK;
}

/* --- sequence points ------------------------------------------------------------------------------------------ */

/* Why a point may be in no line: what its instructions are says it. */
typedef enum reason { JUMPS, ENDS, READS, MOVES, TESTS, FIELDS, KNOWN, REASONS } reason;
static const struct {
    const char *why;
    unsigned    most; /* what there was when it was last looked through; 0: any number */
} reasons[] = {
    [JUMPS] = {"braces, Else, End If, Exit and Continue: nothing but a jump, or nothing", 0},
    [ENDS] = {"the method's end: the return stands where the source says what is returned", 0},
    [READS] = {"reads variables for an operation of the next point", 10},
    [MOVES] = {"moves constants and variables to one that is not needed any more", 40},
    [TESTS] = {"tests a variable: each way to it knew the answer", 8},
    [FIELDS] = {"fills a local struct, or a field of it, that nothing reads", 10},
    [KNOWN] = {"listed by name", 4},
};

/* What no instruction shows. */
static const struct {
    const char *method;
    uint32_t    line;
    const char *why;
} known[] = {
    {"Calls.GuardedUnsigned", 94, "an unsigned number is never negative"},
    {"Memory.AssignedByRef", 284, "the constructor stands in the method, and nothing reads what it wrote"},
    {"Memory.Lent", 246, "a call on a copy stands in the method, and nothing reads what it wrote"},
};

static bool is_variable(ilc__opcode op, bool load)
{
    const char *name = ilc__opcode_name(op);
    return load ? strncmp(name, "ldloc", 5) == 0 || strncmp(name, "ldarg", 5) == 0 : strncmp(name, "stloc", 5) == 0;
}

typedef struct contents { /* of a point */
    bool     jumps, reads, moves, tests, fields, other, returns;
    uint32_t local; /* the last local read */
} contents;

static contents contents_of(const ilc__body *body, const ilc__point *point)
{
    contents c = {0};
    for (uint32_t i = 0; i < body->insn_count; i++) {
        const ilc__insn *insn = &body->insns[i];
        const char      *name = ilc__opcode_name(insn->op);
        if (insn->offset < point->il || insn->offset >= point->end) continue;
        bool address = strncmp(name, "ldloca", 6) == 0 || strncmp(name, "ldarga", 6) == 0;
        if (insn->op == ILC__IL_NOP || strncmp(name, "br.", 3) == 0 || strcmp(name, "br") == 0) c.jumps = true;
        else if (insn->op == ILC__IL_RET) c.returns = true;
        else if (is_variable(insn->op, true) && !address) c.reads = true, c.local = (uint32_t)insn->u.i;
        else if (is_variable(insn->op, false) || strncmp(name, "ldc.", 4) == 0 || insn->op == ILC__IL_LDNULL) c.moves = true;
        else if (strncmp(name, "brtrue", 6) == 0 || strncmp(name, "brfalse", 7) == 0) c.tests = true;
        else if (address || insn->op == ILC__IL_STFLD || insn->op == ILC__IL_LDFLD || insn->op == ILC__IL_LDFLDA ||
                 insn->op == ILC__IL_INITOBJ)
            c.fields = true;
        else c.other = true;
    }
    return c;
}

/* No variable of the source, or the one that VB has for the result. */
static bool is_result(const ilc__method *method, uint32_t local)
{
    const char *name = ilc__debug_local(method, local, ILC__ANY_OFFSET);
    return !name || strcasecmp(name, method->name) == 0;
}

static reason reason_of(const ilc__method *method, const ilc__body *body, const ilc__point *point)
{
    contents c = contents_of(body, point);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].line == point->line && strcmp(known[i].method, method->full_name) == 0) return KNOWN;
    if (c.other) return REASONS;
    if (c.returns) return c.moves || c.tests || c.fields || (c.reads && !is_result(method, c.local)) ? REASONS : ENDS;
    if (c.fields) return FIELDS;
    if (c.tests) return TESTS;
    return c.moves ? MOVES : c.reads ? READS : JUMPS;
}

static bool is_mapped(const ilc__kernel *kernel, const ilc__method *method, const ilc__point *point)
{
    for (uint32_t i = 0; i < kernel->line_count; i++) {
        const ilc__line *line = &kernel->lines[i];
        if (line->method != method || line->il < point->il || line->il >= point->end) continue;
        return line->source == point->line && line->file && strcmp(line->file, point->document) == 0;
    }
    return false;
}

typedef struct tally {
    unsigned methods, points, mapped, left_out[REASONS + 1], sites;
} tally;

static void look_at_points(fixture *f, ilc__arena *arena, const ilc__method *method, tally *t)
{
    ilc__kernel kernel;
    ilc__point  point;
    ilc__body   body;
    if (!translate(f, arena, method, true, &kernel)) return;
    assert_ok(f, ilc__body_decode(&f->ctx, arena, method, &body));
    t->methods++;
    for (uint32_t n = 0; ilc__debug_point(method, n, &point); n++) {
        t->points++;
        if (is_mapped(&kernel, method, &point)) {
            t->mapped++;
            continue;
        }
        reason why = reason_of(method, &body, &point);
        t->left_out[why]++;
        if (why == REASONS)
            print_message("%s, %s:%u, IL_%04x is in no line\n", ilc__image_path(method->image), method->full_name, point.line,
                          point.il);
    }
}

/* --- trap sites ------------------------------------------------------------------------------------------------- */

static bool line_has(const ilc__kernel *kernel, uint32_t line, const ilc__site *site)
{
    for (uint32_t i = 0; i < kernel->line_count; i++) {
        const ilc__line *row = &kernel->lines[i];
        if (row->line == line && row->method == site->method && row->il == site->il) return row->source == site->line;
    }
    return false;
}

/* "il_raise(il_at, 3)", "(il_at, n < 0 ? 3 : 4)", "(il_at, 3 + t)": the numbers that are sites, into the bitmap. */
static void look_at_line(const ilc__kernel *kernel, const char *text, size_t length, uint32_t line, bool *seen)
{
    static const char call[] = "il_raise(il_at, ";
    const char       *at = strstr(text, call), *end = text + length;
    if (!at || at >= end) return;
    at += sizeof call - 1;
    const char *choice = isdigit((unsigned char)*at) ? NULL : memchr(at, '?', (size_t)(end - at));
    if (choice) at = choice + 2;
    for (;;) {
        uint32_t number = (uint32_t)strtoul(at, (char **)(uintptr_t)&at, 10);
        assert_true(number < kernel->site_count);
        const ilc__site *site = &kernel->sites[number];
        if (!line_has(kernel, line, site))
            fail_msg("site %u, %s IL_%04x, is not in line %u: %.*s", number, site->method->full_name, site->il, line, (int)length, text);
        seen[number] = true;
        bool open = strncmp(at, " + ", 3) == 0; /* the first of several, for the strings of an exception */
        for (uint32_t k = number + 1; open && k < kernel->site_count && kernel->sites[k].il == site->il && kernel->sites[k].method == site->method; k++)
            seen[k] = true;
        if (!choice || strncmp(at, " : ", 3) != 0) return;
        at += 3;
    }
}

static void look_at_sites(fixture *f, ilc__arena *arena, const ilc__method *method, tally *t)
{
    ilc__kernel kernel;
    if (!translate(f, arena, method, false, &kernel)) return;
    bool       *seen = ILC__NEW_ARRAY(arena, bool, kernel.site_count + 1);
    const char *text = kernel.source;
    for (uint32_t line = 1; *text; line++) {
        size_t length = strcspn(text, "\n");
        look_at_line(&kernel, text, length, line, seen);
        text += length + (text[length] == '\n');
    }
    for (uint32_t i = 0; i < kernel.site_count; i++)
        if (!seen[i]) fail_msg("%s: no line raises site %u of IL_%04x", method->full_name, i, kernel.sites[i].il);
    t->sites += kernel.site_count;
}

/* --- over all --------------------------------------------------------------------------------------------------- */

typedef struct walk {
    void (*look)(fixture *f, ilc__arena *arena, const ilc__method *method, tally *t);
    tally tally;
} walk;

static void visit(fixture *f, const ilc__method *method, void *user)
{
    walk      *w = user;
    ilc__arena arena;
    uint32_t   diags = f->ctx.diags.count;
    if (!ilc__debug_available(method->image)) return;
    ilc__arena_init(&arena, &f->ctx.heap);
    w->look(f, &arena, method, &w->tally);
    ilc__arena_free(&arena);
    f->ctx.diags.count = diags;
}

static void every_visible_sequence_point_is_in_a_line(void **state)
{
    walk w = {.look = look_at_points};
    each_method_of_the_fixtures(*state, visit, NULL, &w);
    print_message("%u methods, %u points, %u in the map\n", w.tally.methods, w.tally.points, w.tally.mapped);
    for (int r = 0; r < REASONS; r++) {
        print_message("%6u: %s\n", w.tally.left_out[r], reasons[r].why);
        if (reasons[r].most && w.tally.left_out[r] > reasons[r].most)
            fail_msg("more than %u points: %s. Look them through before the number is raised", reasons[r].most, reasons[r].why);
    }
    assert_int_equal(w.tally.left_out[REASONS], 0);
    assert_true(w.tally.mapped > 10000);
}

static void every_trap_site_is_in_a_line(void **state)
{
    walk w = {.look = look_at_sites};
    each_method_of_the_fixtures(*state, visit, NULL, &w);
    print_message("%u sites\n", w.tally.sites);
    assert_true(w.tally.sites > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(every_visible_sequence_point_is_in_a_line), TEST(every_trap_site_is_in_a_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
