#define _GNU_SOURCE
#include "AcceptBound.h"

#ifdef __linux__

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int accept_bound = INT_MAX;

void accept_below(int bound) { atomic_store(&accept_bound, bound); }

// Replaces the C library's function in this process: the linker binds libzmq's call to the program's own symbol.
// The kernel assigns the lowest free number, so a number at the bound means that as many descriptors are open.
int accept4(int listener, struct sockaddr *restrict address, socklen_t *restrict size, int flags) {
    int descriptor = (int)syscall(SYS_accept4, listener, address, size, flags);
    if (descriptor < atomic_load(&accept_bound)) return descriptor;
    close(descriptor);
    // An error that both of libzmq's listeners handle.
    errno = ECONNABORTED;
    return -1;
}

#else

void accept_below(int bound) { (void)bound; }

#endif
