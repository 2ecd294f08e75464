#ifndef CZEROMQ_SHIM_H
#define CZEROMQ_SHIM_H

#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include <zmq.h>

#ifdef __linux__
#include <sys/eventfd.h>
#endif

// Sums of macros are not imported into Swift, so they are named here.
static const int czmq_eterm = ETERM;
static const int czmq_efsm = EFSM;

// The stable library knows this option since 4.3.0, its header only among the drafts.
static const int czmq_zap_enforce_domain = 93;

// The wake-up descriptor of a poll loop: one eventfd on Linux, the two ends of a pipe elsewhere.
static inline int czmq_wakeup_open(int ends[2]) {
#ifdef __linux__
    ends[0] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    ends[1] = ends[0];
    return ends[0] < 0 ? -1 : 0;
#else
    return pipe(ends);
#endif
}

static inline void czmq_wakeup_close(const int ends[2]) {
    close(ends[0]);
    if (ends[1] != ends[0]) close(ends[1]);
}

static inline void czmq_wakeup_ring(int write_end) {
    uint64_t one = 1;
    // EAGAIN means that the descriptor is already readable, which is all that a ring asks for.
    ssize_t written = write(write_end, &one, sizeof one);
    (void)written;
}

static inline void czmq_wakeup_clear(int read_end) {
    uint64_t rings;
    ssize_t taken = read(read_end, &rings, sizeof rings);
    (void)taken;
}

#endif
