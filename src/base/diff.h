/* diff.h - what differs between two texts, line by line. */
#ifndef ILC_BASE_DIFF_H
#define ILC_BASE_DIFF_H

#include "base/memory.h"

/* Lines with "-" only in a, with "+" only in b, with a space in both: those around a difference, "..." for the others.
 * False, and nothing written, where the texts are the same. Texts that differ in very many lines come out one behind the
 * other. */
bool ilc__diff(ilc__arena *scratch, const char *a, const char *b, ilc__text *out);

#endif
