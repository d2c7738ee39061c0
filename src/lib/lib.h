/* lib.h - what is known by name: exceptions, library methods with an operation of their own, and the helper
 * functions of emitted code. Sees only base. */
#ifndef ILC_LIB_LIB_H
#define ILC_LIB_LIB_H

#include "base/diag.h"

typedef enum ilc__exception_id {
#define EXCEPTION(id, type, message) ILC__EXC_##id,
#include "lib/exceptions.def"
#undef EXCEPTION
    ILC__EXC_COUNT
} ilc__exception_id;

/* Functions of one cycle are active at most so often at a time (docs/semantics.md, Calls). */
enum { ILC__MAX_ACTIVATIONS = 256 };

const char *ilc__exception_type(ilc__exception_id id);
const char *ilc__exception_message(ilc__exception_id id);

/* A row of math.def: a method that is one operation of the IR. NULL when the method has none.
 * params as they are spelt in a method's name: "Single,Single". Returns the text name of the operation ("max.f32"). */
const char *ilc__lib_operation(const char *type_name, const char *method, const char *params);

/* All rows, for tests and documentation. */
typedef struct ilc__lib_row {
    const char *type_name, *method, *params, *operation;
} ilc__lib_row;
uint32_t            ilc__lib_row_count(void);
const ilc__lib_row *ilc__lib_row_at(uint32_t index);

/* The message that an exception class' constructor gives, for the constructors whose arguments are constant:
 * kind of each argument by letter: s string, o an object (what its text is), i Int32, x a null inner exception. NULL when the class or
 * constructor is not known. strings holds the string arguments in order; each may be NULL (a null reference). */
const char *ilc__lib_exception_message(ilc__arena *arena, const char *type_name, const char *kinds,
                                       const char *const *strings);
/* The same for a class derived from one of these (base), whose constructor passes the arguments on. */
const char *ilc__lib_exception_message_of(ilc__arena *arena, const char *type_name, const char *base, const char *kinds,
                                          const char *const *strings);
bool        ilc__lib_is_exception(const char *type_name);
/* The class of the exception that a method of the library makes as that class' constructor would; NULL for others. */
const char *ilc__lib_exception_maker(const char *type_name, const char *method);

/* A helper's definition text, and the helpers that it calls; NULL when there is none of that name. */
typedef struct ilc__helper {
    const char *name, *uses, *text;
} ilc__helper;
uint32_t           ilc__helper_count(void);
const ilc__helper *ilc__helper_at(uint32_t index);

#endif
