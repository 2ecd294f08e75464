#ifndef CMEMORY_SHIM_H
#define CMEMORY_SHIM_H

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Gives freed memory back to the system, which glibc does by itself at the end of its heap only.
static inline void memory_release_free(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

#endif
