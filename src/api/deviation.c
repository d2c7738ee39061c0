/* deviation.c - how far results of mode fast are from those of mode exact. */
#include "api/launch.h"

#include <math.h>

/* Numbers of a type in the order of their values: two that lie beside each other are one apart. */
static int64_t place_f32(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? -(int64_t)(bits & INT32_MAX) : bits;
}

static int64_t place_f64(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? -(bits & INT64_MAX) : bits;
}

static void note(ilc_deviation *d, double exact, double other, int64_t place, int64_t other_place)
{
    if (isnan(exact) && isnan(other)) return;
    if (exact == other) return;
    if (!isfinite(exact) || !isfinite(other)) {
        d->unlike++;
        return;
    }
    double   absolute = fabs(exact - other), relative = exact != 0 ? absolute / fabs(exact) : 0;
    uint64_t ulps = place > other_place ? (uint64_t)place - (uint64_t)other_place : (uint64_t)other_place - (uint64_t)place;
    if (absolute > d->absolute) d->absolute = absolute;
    if (relative > d->relative) d->relative = relative;
    if (ulps > d->ulps) d->ulps = ulps;
}

void ilc__deviation_note(ilc_deviation *d, ilc_storage storage, uint64_t exact, uint64_t other)
{
    if (storage == ILC_F32) {
        float    x, y;
        uint32_t low = (uint32_t)exact, other_low = (uint32_t)other;
        memcpy(&x, &low, sizeof x);
        memcpy(&y, &other_low, sizeof y);
        note(d, (double)x, (double)y, place_f32(x), place_f32(y));
    } else if (storage == ILC_F64) {
        double x, y;
        memcpy(&x, &exact, sizeof x);
        memcpy(&y, &other, sizeof y);
        note(d, x, y, place_f64(x), place_f64(y));
    } else {
        d->unlike += exact != other;
        return;
    }
    d->values++;
}

void ilc_deviation_add(ilc_deviation *d, ilc_storage storage, const void *exact, const void *other, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        ilc__deviation_note(d, storage, ilc__load_bits(exact, i, storage), ilc__load_bits(other, i, storage));
}
