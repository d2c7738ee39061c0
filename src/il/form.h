/* form.h - what makes forms of methods (il/instance.h). Private to il. */
#ifndef ILC_IL_FORM_H
#define ILC_IL_FORM_H

#include "il/instance.h"

/* A copy of the method with room for so many parameters more. */
ilc__method *ilc__form_begin(ilc__arena *arena, const ilc__method *method, uint32_t more);
/* The next parameter; where its name is taken already it gets a number. */
void ilc__form_param(ilc__arena *arena, ilc__method *form, const char *name, const ilc__type *type);

/* form_rows.c: the body of a form by rows of its method's. */
ilc_status ilc__rows_body(ilc__arena *arena, const ilc__method *form, ilc__body *body);

#endif
