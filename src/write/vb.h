/* vb.h - shared by the two files of VB. Private to src/write. */
#ifndef ILC_WRITE_VB_H
#define ILC_WRITE_VB_H

#include "write/internal.h"

void ilc__vb_put_brackets(ilc__writer *w, ilc__wtype type); /* "()" of an array */

void ilc__vb_put_head(ilc__writer *w);
void ilc__vb_put_tail(ilc__writer *w);
void ilc__vb_put_declaration(ilc__writer *w, const ilc__var *var, const ilc__term *value, bool zero);
void ilc__vb_put_assign(ilc__writer *w, const ilc__term *place, const ilc__term *value);
void ilc__vb_put_compound(ilc__writer *w, const ilc__term *place, ilc__operator opr, const ilc__term *value);
void ilc__vb_put_bind(ilc__writer *w, const ilc__var *var, const ilc__term *place, bool declares);
void ilc__vb_put_drop(ilc__writer *w, const ilc__term *value);
void ilc__vb_put_if(ilc__writer *w, const ilc__term *truth, bool again);
void ilc__vb_put_else(ilc__writer *w);
void ilc__vb_put_end_if(ilc__writer *w);
void ilc__vb_put_while(ilc__writer *w, const ilc__term *truth);
void ilc__vb_put_end_while(ilc__writer *w, bool forever);
void ilc__vb_put_do(ilc__writer *w);
void ilc__vb_put_end_do(ilc__writer *w, const ilc__term *truth);
bool ilc__vb_has_for(ilc__writer *w, const ilc__stmt *s);
void ilc__vb_put_for(ilc__writer *w, const ilc__stmt *s, bool declares, const ilc__term *from);
void ilc__vb_put_each(ilc__writer *w, const ilc__var *var, bool declares, const ilc__term *array);
void ilc__vb_put_end_for(ilc__writer *w);
void ilc__vb_put_switch(ilc__writer *w, const ilc__term *value);
void ilc__vb_put_case(ilc__writer *w, ilc_storage type, const ilc__interval *ranges, uint32_t count);
void ilc__vb_put_end_case(ilc__writer *w, bool falls_out);
void ilc__vb_put_end_switch(ilc__writer *w);
bool ilc__vb_put_exit(ilc__writer *w, const ilc__stmt *s);
void ilc__vb_put_return(ilc__writer *w, const ilc__term *value);
void ilc__vb_put_throw(ilc__writer *w, const char *type, ilc__term *const *args, uint32_t count);
void ilc__vb_put_goto(ilc__writer *w, const char *label);
void ilc__vb_put_label(ilc__writer *w, const char *label);

#define ILC__VB_STATEMENTS                                                                                             \
    .put_head = ilc__vb_put_head, .put_tail = ilc__vb_put_tail, .put_declaration = ilc__vb_put_declaration,            \
    .put_assign = ilc__vb_put_assign, .put_compound = ilc__vb_put_compound, .put_bind = ilc__vb_put_bind,              \
    .put_drop = ilc__vb_put_drop, .put_if = ilc__vb_put_if, .put_else = ilc__vb_put_else,                              \
    .put_end_if = ilc__vb_put_end_if, .put_while = ilc__vb_put_while, .put_end_while = ilc__vb_put_end_while,          \
    .put_do = ilc__vb_put_do, .put_end_do = ilc__vb_put_end_do, .has_for = ilc__vb_has_for, .put_for = ilc__vb_put_for,                            \
    .put_end_for = ilc__vb_put_end_for, .put_each = ilc__vb_put_each, .put_switch = ilc__vb_put_switch, .put_case = ilc__vb_put_case, \
    .put_end_case = ilc__vb_put_end_case, .put_end_switch = ilc__vb_put_end_switch, .put_exit = ilc__vb_put_exit,      \
    .put_return = ilc__vb_put_return, .put_throw = ilc__vb_put_throw, .put_goto = ilc__vb_put_goto,                    \
    .put_label = ilc__vb_put_label,

#endif
