/* vb.h - shared by the two files of the VB writer. Private to src/write. */
#ifndef ILC_WRITE_VB_H
#define ILC_WRITE_VB_H

#include "write/write.h"

/* What the place of an expression asks for: a truth, or a value kept in some storage. */
typedef enum ilc__vb_want { ILC__VB_VALUE, ILC__VB_TRUTH } ilc__vb_want;

void        ilc__vb_expr(ilc__text *out, const ilc__expr *e, ilc__vb_want want);
/* As the right side of an assignment to a variable, element or result of that storage. */
void        ilc__vb_value(ilc__text *out, const ilc__expr *e, ilc_storage storage);
void        ilc__vb_pointer(ilc__text *out, const ilc__expr *e); /* an address as a value, not the place there */
const char *ilc__vb_type(ilc_storage storage);
/* The type of a variable's value, or of what it is a by-ref to. */
void        ilc__vb_put_type(ilc__text *out, ilc_storage storage, const ilc__layout *layout);
void        ilc__vb_var(ilc__text *out, const ilc__var *var);
void        ilc__vb_func(ilc__text *out, const ilc__func *func);
/* The number of the parameter that is the instance, a by-ref to a struct; UINT32_MAX where there is none. */
uint32_t    ilc__vb_instance(const ilc__func *func);
void        ilc__vb_name(ilc__text *out, const char *name); /* in brackets where VB reserves it */
/* A string by its number in the function's strings. */
void        ilc__vb_text(ilc__text *out, const ilc__func *func, const ilc__expr *e);
void        ilc__vb_string(ilc__text *out, const char *text);
/* The operator of `x op= e` for an operation, or NULL. */
const char *ilc__vb_compound(ilc__op op);
bool        ilc__vb_same(const ilc__expr *x, const ilc__expr *y); /* alike, and without a call */

#endif
