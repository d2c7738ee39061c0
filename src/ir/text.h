/* text.h - what print.c, parse.c and verify.c share. */
#ifndef ILC_IR_TEXT_H
#define ILC_IR_TEXT_H

#include "ir/ir.h"

/* A remark printed at one value's line. */
typedef struct ilc__ir_notes {
    ilc__ref    ref;
    const char *note;
} ilc__ir_notes;

bool ilc__ir_is_plain_name(const char *name); /* a C identifier */
void ilc__ir_print_noted(const ilc__ir_func *func, const ilc__ir_notes *notes, ilc__text *out);

#endif
