/* tutorial_test.c - the six methods of the tutorial, as the VB and C# compilers write them, come back as their
 * source: no variable that it has not, no copy, no parenthesis too many. */
#include "unit.h"

#include <stdio.h>

#include "opt/pass.h"

static const char *vb_of_method(ilc__context *ctx, const ilc__method *method)
{
    ilc__ir_unit ir = {0};
    ilc__unit    unit = {0};
    assert_ok(ctx, ilc__ir_lift(ctx, &ctx->arena, method, &ir));
    assert_ok(ctx, ilc__opt_run(ctx, &ir, NULL, NULL));
    assert_ok(ctx, ilc__ast_build(ctx, &ctx->arena, &ir, &unit));
    return vb_of(ctx, unit.funcs.items[unit.funcs.count - 1]);
}

static void check(ilc__context *ctx, const char *assembly, const char *method, const char *expected)
{
    ilc__set   *set = ilc__set_create(ctx);
    ilc__image *image = NULL;
    bool        found = false;
    assert_ok(ctx, ilc__set_open(set, ilc__arena_printf(&ctx->arena, "%s/bin/%s.dll", ILCUDA_FIXTURES, assembly), &image));
    for (uint32_t row = 1; row <= ilc__image_method_count(image); row++) {
        const ilc__method *m = NULL;
        assert_ok(ctx, ilc__image_method(image, row, &m));
        if (strcmp(m->name, method) != 0) continue;
        found = true;
        const char *vb = vb_of_method(ctx, m);
        if (*vb == '\'') vb = strchr(vb, '\n') + 1; /* what + means */
        if (strcmp(vb, expected) != 0) fail_msg("%s of %s was\n%s", method, assembly, vb);
    }
    assert_true(found);
    ilc__set_destroy(set);
}

static const char *const builds[] = {"Tutorial", "TutorialDebug", "TutorialNoChecks", "TutorialEmbedded", "TutorialCs"};

static void check_builds(void **state, const char *method, const char *expected)
{
    for (size_t i = 0; i < sizeof builds / sizeof builds[0]; i++)
        check(&((fixture *)*state)->ctx, builds[i], method, expected);
}

static void row_sum_is_its_source_in_every_build(void **state)
{
    check_builds(state, "RowSum",
                 "Shared Function RowSum(x As Single(), cols As Integer, i As Integer) As Single\n"
                 "    Dim sum As Single = 0.0F\n"
                 "    For k As Integer = 0 To cols - 1\n"
                 "        sum += x(i * cols + k)\n"
                 "    Next\n"
                 "    Return sum\n"
                 "End Function\n");
}

static void row_sum_sq_is_its_source_in_every_build(void **state)
{
    check_builds(state, "RowSumSq",
                 "Shared Function RowSumSq(x As Single(), cols As Integer, i As Integer) As Single\n"
                 "    Dim sumSq As Single = 0.0F\n"
                 "    For k As Integer = 0 To cols - 1\n"
                 "        Dim v As Single = x(i * cols + k)\n"
                 "        sumSq += v * v\n"
                 "    Next\n"
                 "    Return sumSq\n"
                 "End Function\n");
}

static void gram_dot_is_its_source_in_every_build(void **state)
{
    check_builds(state, "GramDot",
                 "Shared Function GramDot(x As Single(), cols As Integer, i As Integer, j As Integer) As Single\n"
                 "    Dim acc As Single = 0.0F\n"
                 "    For k As Integer = 0 To cols - 1\n"
                 "        acc += x(i * cols + k) * x(j * cols + k)\n"
                 "    Next\n"
                 "    Return acc\n"
                 "End Function\n");
}

static void pearson_clamp_is_its_source(void **state)
{
    static const char *const statements[] = {"TutorialDebug", "Tutorial"}, *const expressions[] = {"TutorialCs", "TutorialFs"};
    for (size_t i = 0; i < sizeof expressions / sizeof expressions[0]; i++)
        check(&((fixture *)*state)->ctx, expressions[i], "PearsonClamp",
              "Shared Function PearsonClamp(cov As Single, denom As Single) As Single\n"
              "    Dim c As Single = If(denom > 1.0E-12F, cov / denom, 0.0F)\n"
              "    Return MathF.Min(1.0F, MathF.Max(-1.0F, c))\n"
              "End Function\n");
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        check(&((fixture *)*state)->ctx, statements[i], "PearsonClamp",
              "Shared Function PearsonClamp(cov As Single, denom As Single) As Single\n"
              "    Dim c As Single\n"
              "    If denom > 1.0E-12F Then\n"
              "        c = cov / denom\n"
              "    Else\n"
              "        c = 0.0F\n"
              "    End If\n"
              "    Return MathF.Min(1.0F, MathF.Max(-1.0F, c))\n"
              "End Function\n");
}

/* Debug code keeps every variable of the source. */
static void cells_are_their_source(void **state)
{
    ilc__context *ctx = &((fixture *)*state)->ctx;
    check(ctx, "TutorialDebug", "CorrelationCell",
          "Shared Function CorrelationCell(dot As Single(), rowSum As Single(), rowSumSq As Single(), rows As Integer, "
          "cols As Integer, i As Integer, j As Integer) As Single\n"
          "    If i = j Then\n"
          "        Return 1.0F\n"
          "    End If\n"
          "    Dim n As Single = cols\n"
          "    Dim meanI As Single = rowSum(i) / n\n"
          "    Dim meanJ As Single = rowSum(j) / n\n"
          "    Dim varI As Single = rowSumSq(i) - n * meanI * meanI\n"
          "    Dim varJ As Single = rowSumSq(j) - n * meanJ * meanJ\n"
          "    Dim d As Single = dot(i * rows + j)\n"
          "    Dim cov As Single = d - n * meanI * meanJ\n"
          "    Dim denom As Single = MathF.Sqrt(MathF.Max(varI, 0.0F)) * MathF.Sqrt(MathF.Max(varJ, 0.0F))\n"
          "    Dim c As Single\n"
          "    If denom > 1.0E-12F Then\n"
          "        c = cov / denom\n"
          "    Else\n"
          "        c = 0.0F\n"
          "    End If\n"
          "    Return MathF.Min(1.0F, MathF.Max(-1.0F, c))\n"
          "End Function\n");
    check(ctx, "Tutorial", "DistanceCell",
          "Shared Function DistanceCell(dot As Single(), rowSumSq As Single(), rows As Integer, i As Integer, "
          "j As Integer) As Single\n"
          "    If i = j Then\n"
          "        Return 0.0F\n"
          "    End If\n"
          "    Dim d As Single = dot(i * rows + j)\n"
          "    Return MathF.Sqrt(MathF.Max(rowSumSq(i) + rowSumSq(j) - 2.0F * d, 0.0F))\n"
          "End Function\n");
}

static void locals_without_a_name_are_called_by_their_slot(void **state)
{
    check(&((fixture *)*state)->ctx, "TutorialNoPdb", "RowSum",
          "Shared Function RowSum(x As Single(), cols As Integer, i As Integer) As Single\n"
          "    Dim V_0 As Single = 0.0F\n"
          "    For V_2 As Integer = 0 To cols - 1\n"
          "        V_0 += x(i * cols + V_2)\n"
          "    Next\n"
          "    Return V_0\n"
          "End Function\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(row_sum_is_its_source_in_every_build), TEST(row_sum_sq_is_its_source_in_every_build),
        TEST(gram_dot_is_its_source_in_every_build), TEST(pearson_clamp_is_its_source),
        TEST(cells_are_their_source), TEST(locals_without_a_name_are_called_by_their_slot)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
