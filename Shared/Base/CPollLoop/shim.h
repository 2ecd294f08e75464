#ifndef CPOLLLOOP_SHIM_H
#define CPOLLLOOP_SHIM_H

#include <stdint.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/eventfd.h>
#endif

// A wake-up descriptor: one eventfd on Linux, the two ends of a pipe elsewhere.
static inline int poll_loop_wakeup_open(int ends[2]) {
#ifdef __linux__
    ends[0] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    ends[1] = ends[0];
    return ends[0] < 0 ? -1 : 0;
#else
    return pipe(ends);
#endif
}

static inline void poll_loop_wakeup_close(const int ends[2]) {
    close(ends[0]);
    if (ends[1] != ends[0]) close(ends[1]);
}

static inline void poll_loop_wakeup_ring(int write_end) {
    uint64_t one = 1;
    // EAGAIN means that the descriptor is already readable, which is all that a ring needs.
    ssize_t written = write(write_end, &one, sizeof one);
    (void)written;
}

static inline void poll_loop_wakeup_clear(int read_end) {
    uint64_t rings;
    ssize_t taken = read(read_end, &rings, sizeof rings);
    (void)taken;
}

#endif
