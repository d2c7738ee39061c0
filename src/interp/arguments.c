/* arguments.c - what both interpreters ask of the arrays that a caller gives. */
#include "interp/interp.h"

bool ilc__array_is(const ilc_array *array, ilc_storage elem, uint32_t rank, uint32_t nested)
{
    if (!array) return true;
    uint32_t have = array->rank > 1 ? array->rank : 0;
    if (have != rank || array->length < 0) return false;
    if (!nested) return array->elem == elem;
    ilc_array *const *inner = array->data;
    for (int64_t i = 0; i < array->length; i++)
        if (!ilc__array_is(inner[i], elem, 0, nested - 1)) return false;
    return array->elem == ILC_ARRAY;
}
