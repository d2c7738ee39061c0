/* measure.c - errors of src/lib/functions.def against libquadmath (113 bits) and the C library, over arguments of
 * every magnitude and the hard ranges; with --time, nanoseconds per call. Built and run by tools/functions/measure. */
#include <math.h>
#include <quadmath.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/host.h"

#define HELPER(name, uses, ...) __VA_ARGS__
#include "lib/functions.def"

typedef struct function {
    const char *name;
    double (*one)(double), (*two)(double, double);
    double (*host1)(double), (*host2)(double, double);
    __float128 (*exact1)(__float128), (*exact2)(__float128, __float128);
    float (*single1)(float), (*single2)(float, float); /* the C library's */
    double low, high;                                  /* where most of what matters lies */
} function;

#define ONE(name, low, high) {#name, il_##name##_f64, NULL, name, NULL, name##q, NULL, name##f, NULL, low, high}
#define TWO(name, low, high) {#name, NULL, il_##name##_f64, NULL, name, NULL, name##q, NULL, name##f, low, high}
static const function functions[] = {
    ONE(exp, -746, 710), ONE(log, 0, 10), ONE(log2, 0, 10), ONE(log10, 0, 10), TWO(pow, 0, 30), ONE(sin, -20, 20),
    ONE(cos, -20, 20), ONE(tan, -20, 20), ONE(atan, -10, 10), TWO(atan2, -10, 10), ONE(asin, -1, 1), ONE(acos, -1, 1),
    ONE(sinh, -20, 20), ONE(cosh, -20, 20), ONE(tanh, -5, 5), ONE(cbrt, -100, 100)};

static uint64_t state = 88172645463325252u;
static uint64_t next(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state * 2685821657736338717u;
}
static double uniform(double low, double high)
{
    return low + (high - low) * (double)(next() >> 11) * 0x1p-53;
}

/* Any bits, then the usual range, near 0, near 1, near multiples of pi/2, and large ones. */
static double argument(const function *f, uint64_t k)
{
    switch (k % 8) {
    case 0: return ilc__f64_of((long long)next());
    case 1: return ldexp(uniform(-1, 1), (int)(next() % 40) - 20);
    case 2: return 1 + ldexp(uniform(-1, 1), -(int)(next() % 50));
    case 3: return nextafter((double)(next() % 4000000) * M_PI_2, k % 16 < 8 ? 0 : 1e9) * (next() % 2 ? 1 : -1);
    case 4: return ldexp(uniform(1, 2), (int)(next() % 1023)) * (next() % 2 ? 1 : -1);
    default: return uniform(f->low, f->high);
    }
}

/* For pow the exponent is chosen so that results are mostly finite. */
static double second(const function *f, uint64_t k, double a)
{
    if (strcmp(f->name, "pow") != 0 || k % 5 == 0) return argument(f, next());
    if (k % 5 == 1) return (double)(int)(next() % 41) - 20;
    double scale = fabs(log(fabs(a)));
    return uniform(-745, 710) / (scale > 0 ? scale : 1);
}

static double error_in_ulps(double got, __float128 exact)
{
    int exponent;
    if (isnanq(exact) || isnan(got)) return isnanq(exact) && isnan(got) ? 0 : 1e9;
    double rounded = (double)exact;
    if (isinf(rounded) || isinf(got)) {
        if (rounded == got) return 0;
        return isinf(got) && fabsq(exact) > (__float128)0x1.fffffffffffffp1023 ? 0.5 : 1e9;
    }
    frexpq(exact, &exponent);
    if (exact == 0 || exponent < -1021) exponent = -1021;
    return (double)fabsq((got - exact) * scalbnq(1, 53 - exponent));
}

static uint64_t distance(double a, double b)
{
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? 0 : UINT64_MAX;
    int64_t x = ilc__i64_of(a), y = ilc__i64_of(b);
    if (x < 0) x = INT64_MIN - x;
    if (y < 0) y = INT64_MIN - y;
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

static void measure(const function *f, uint64_t count)
{
    double   worst = 0, at = 0, with = 0, single = 0;
    uint64_t differ = 0, host = 0, same32 = 0;
    for (uint64_t k = 0; k < count; k++) {
        double     a = argument(f, k), b = f->two ? second(f, k, a) : 0;
        double     got = f->two ? f->two(a, b) : f->one(a), theirs = f->two ? f->host2(a, b) : f->host1(a);
        __float128 exact = f->two ? f->exact2(a, b) : f->exact1(a);
        double     error = error_in_ulps(got, exact);
        if (error > worst) worst = error, at = a, with = b;
        uint64_t apart = distance(got, theirs);
        differ += apart != 0;
        if (apart > host) host = apart;
        float fa = (float)a, fb = (float)b, ours = (float)(f->two ? f->two(fa, fb) : f->one(fa));
        float libm = f->two ? f->single2(fa, fb) : f->single1(fa);
        if (ours == libm || (ours != ours && libm != libm)) same32++;
        exact = f->two ? f->exact2(fa, fb) : f->exact1(fa);
        if (isfinite(ours) && isfinite((float)exact) && ours != (float)exact) {
            int exponent;
            frexpq(exact, &exponent);
            if (exponent < -125) exponent = -125;
            double e = (double)fabsq((ours - exact) * scalbnq(1, 24 - exponent));
            if (e > single) single = e;
        }
    }
    printf("| %-6s | %.3f | %llu | %.2f %% | %.4f | %.2f %% |  worst at %a %a\n", f->name, worst, (unsigned long long)host,
           100.0 * (double)differ / (double)count, single > 0.5 ? single : 0.5, 100.0 * (double)(count - same32) / (double)count, at, with);
    fflush(stdout);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure_time(const function *f)
{
    enum { COUNT = 4096, TURNS = 100 };
    static double a[COUNT], b[COUNT];
    volatile double sink = 0;
    double          sum = 0, took[2];
    for (int i = 0; i < COUNT; i++) a[i] = uniform(f->low, f->high), b[i] = uniform(-5, 5);
    for (int host = 0; host < 2; host++) {
        double start = now();
        for (int turn = 0; turn < TURNS; turn++)
            for (int i = 0; i < COUNT; i++)
                sum += f->two ? (host ? f->host2 : f->two)(a[i], b[i]) : (host ? f->host1 : f->one)(a[i]);
        took[host] = (now() - start) / ((double)COUNT * TURNS);
    }
    sink = sum;
    (void)sink;
    printf("| %-6s | %.0f | %.0f |\n", f->name, took[0], took[1]);
}

int main(int argc, char **argv)
{
    const char *only = argc > 2 ? argv[2] : NULL;
    int timing = argc > 1 && strcmp(argv[1], "--time") == 0;
    uint64_t count = argc > 1 && !timing ? strtoull(argv[1], NULL, 10) : 1000000;
    puts(timing ? "| function | ns | C library, ns |" : "| function | max ulp | max ulps from the C library | differ | Single: max ulp | Single: differ |");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (only && strcmp(only, functions[i].name) != 0) continue;
        if (timing) measure_time(&functions[i]);
        else measure(&functions[i], count);
    }
    return 0;
}
