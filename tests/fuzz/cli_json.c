/* cli_json.c - request values from any text: JSON read exactly, then taken as a value of each type. */
#include <json-c/json.h>
#include <stdint.h>

#include "values.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char         *reason;
    struct json_object *json = json_parse_exact((const char *)data, size, &reason);
    value_pool          pool = {0};
    for (int storage = ILC_BOOL; storage < ILC_ARRAY; storage++) {
        ilc_param param = {.name = "x", .type = "T", .storage = (ilc_storage)storage};
        ilc_value value[2];
        value_parse(&pool, json, &param, NULL, 0, &value[0]);
        param.is_array = true;
        for (param.rank = 1; param.rank <= 3; param.rank++)
            if (!value_parse(&pool, json, &param, NULL, 0, &value[0])) value_parse(&pool, json, &param, value, 1, &value[1]);
        param = (ilc_param){.name = "x", .type = "T", .storage = ILC_ARRAY, .is_array = true, .rank = 1};
        param.innermost = (ilc_storage)storage;
        for (param.nested = 1; param.nested <= 2; param.nested++) value_parse(&pool, json, &param, NULL, 0, &value[0]);
    }
    pool_free(&pool);
    json_object_put(json);
    return 0;
}
