/* deviation.c - how far mode fast is from mode exact, for people and as JSON. */
#include <json-c/json.h>
#include <stdio.h>

#include "cli.h"

const char *deviation_text(const ilc_deviation *d)
{
    static char text[160];
    int         at = 0;
    if (d->values == 0) at = snprintf(text, sizeof text, "no Single or Double");
    else if (d->absolute == 0) at = snprintf(text, sizeof text, "as exact");
    else
        at = snprintf(text, sizeof text, "from exact at most %.3g, relative %.3g, %llu ulp", d->absolute, d->relative, (unsigned long long)d->ulps);
    if (d->unlike) snprintf(text + at, sizeof text - (size_t)at, ", %llu of another kind", (unsigned long long)d->unlike);
    return text;
}

struct json_object *deviation_json(const ilc_deviation *d)
{
    struct json_object *one = json_object_new_object();
    json_object_object_add(one, "values", json_object_new_uint64(d->values));
    json_object_object_add(one, "absolute", json_object_new_double(d->absolute));
    json_object_object_add(one, "relative", json_object_new_double(d->relative));
    json_object_object_add(one, "ulps", json_object_new_uint64(d->ulps));
    json_object_object_add(one, "unlike", json_object_new_uint64(d->unlike));
    return one;
}
