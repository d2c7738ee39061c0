/* il_exceptions.h - exception classes of the framework, as code throws them (il_exceptions.def). */
#ifndef ILC_INTERP_IL_EXCEPTIONS_H
#define ILC_INTERP_IL_EXCEPTIONS_H

#include "base/memory.h"

enum { ILC__IL_EXCEPTION_ARGS = 3 }; /* no constructor that is known has more */

bool ilc__il_exception_known(const char *type);
/* The Message of a new exception. kinds has one letter for each parameter of the constructor: s String, o Object (its text),
 * x an Exception that is null, i Int32; strings holds the s and o arguments (NULL: null). NULL when the constructor is not
 * known. A derived class' constructor may have passed them on to that of type: then that is its name. */
const char *ilc__il_exception_message_of(ilc__arena *arena, const char *derived, const char *type, const char *kinds,
                                         const char *const *strings);
const char *ilc__il_exception_message(ilc__arena *arena, const char *type, const char *kinds,
                                      const char *const *strings);

#endif
