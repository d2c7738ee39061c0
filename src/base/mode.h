/* mode.h - what a text of mode fast begins with: emit puts it there, and rt reads from it how CUDA's compilers are asked. */
#ifndef ILC_BASE_MODE_H
#define ILC_BASE_MODE_H

#define ILC__FAST_MARK "// Mode fast: divisions, roots and functions may be approximate.\n"

#endif
