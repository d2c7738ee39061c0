/* instance.h - instance methods of classes, closures and lambdas among them, as static methods: what a body does with
 * `this`, and the form in which each field that it reads is a parameter.
 *
 * The form's parameters are the method's own, then the fields, in the order of their declaration; a field of a class
 * type stands for the fields that are read through it. Its body is the method's with `ldarg.0; ldfld x` as `ldarg k`,
 * and calls to other instance methods on the same objects as calls to their forms. So nothing behind this layer knows
 * of objects. What else a body may do with `this` is refused by name. */
#ifndef ILC_IL_INSTANCE_H
#define ILC_IL_INSTANCE_H

#include "il/il.h"

/* A chain of fields from `this`. Place 0 is `this` itself. */
typedef struct ilc__this_place {
    uint32_t          base;
    const ilc__field *field;
} ilc__this_place;

typedef enum ilc__use_kind {
    ILC__USE_DROP,    /* the instruction only moves an object about                   */
    ILC__USE_READ,    /* ldfld of a value                                             */
    ILC__USE_ADDRESS, /* ldflda of a value that is only read there                    */
    ILC__USE_CALL     /* of an instance method on the object                          */
} ilc__use_kind;

typedef struct ilc__use {
    uint32_t           insn;
    ilc__use_kind      kind;
    uint32_t           place;
    const ilc__method *callee;
} ilc__use;

typedef struct ilc__uses {
    ILC__VEC(ilc__this_place) places;
    ILC__VEC(ilc__use) items; /* by instruction */
} ilc__uses;

/* What the method does with `this`; kept with the assembly set, work: for what is not kept. ILC_UNSUPPORTED with a diagnostic where it does more
 * than read fields and call methods. */
ilc_status ilc__uses_of(ilc__arena *work, const ilc__method *method, const ilc__uses **out);

/* "total" for a field of that name as compilers spell it: $VB$Local_total, <total>P, total@5. */
const char *ilc__captured_name(ilc__arena *arena, const ilc__field *field);

/* "CompareTo" for the method that implements an interface's, "Line" for a local function <Outer>g__Line|0_1, "Axpy_Lambda0" for a lambda <Axpy>b__4_0, "Lambda0" for VB's _Lambda$__4-0;
 * else the method's own name. */
const char *ilc__method_plain_name(ilc__arena *arena, const ilc__method *method);

/* The static form of an instance method of a class or of a struct, whose `this` is the first parameter, a by-ref; made once. ILC_UNSUPPORTED with a diagnostic; ILC_FORMAT. */
ilc_status ilc__static_form(ilc__arena *work, const ilc__method *method, const ilc__method **out);
/* The form of a static method whose index parameters of these numbers count from parameters of its own, which stand
 * behind all others: what it reads as i is i + from_i. Made once. */
ilc_status ilc__counted_form(const ilc__method *method, const uint32_t *params, uint32_t count, const ilc__method **out);
/* The form of a static method whose array or span parameters of these numbers are rows of matrices: there they are of type
 * T[,], and the parameter behind all others is the row's index, i for the first and j for a second. Made once.
 * ILC_UNSUPPORTED with a diagnostic where one is no array or span of numbers. */
ilc_status ilc__rows_form(const ilc__method *method, const uint32_t *params, uint32_t count, const ilc__method **out);
/* Is it such a form itself, not only one of a form? */
bool ilc__form_has_rows(const ilc__method *form);
/* The row of the array of two dimensions, by index, that lie on the stack: what `ldelem.ref` means where a form made it;
 * its type, T[] or a span. NULL: it is the instruction's own meaning. */
const ilc__type *ilc__row_type(const ilc__insn *insn);
/* The method as it stands in the assembly. */
const ilc__method *ilc__method_origin(const ilc__method *method);
/* Makes the body of a form of the one of what it is a form of. */
ilc_status ilc__form_body(ilc__arena *arena, const ilc__method *form, ilc__body *body);

#endif
