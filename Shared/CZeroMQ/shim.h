#ifndef CZEROMQ_SHIM_H
#define CZEROMQ_SHIM_H

#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include <zmq.h>

#ifdef __linux__
#include <netinet/in.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#endif

// Sums of macros are not imported into Swift, so they are named here.
static const int czmq_eterm = ETERM;
static const int czmq_efsm = EFSM;

// The library has this option since 4.3.0, but its header declares it only with the draft API.
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
    // EAGAIN means that the descriptor is already readable, which is all that a ring needs.
    ssize_t written = write(write_end, &one, sizeof one);
    (void)written;
}

static inline void czmq_wakeup_clear(int read_end) {
    uint64_t rings;
    ssize_t taken = read(read_end, &rings, sizeof rings);
    (void)taken;
}

// The peer's process over a unix socket, at the time it connected; 0 where the kernel does not report it.
static inline int32_t czmq_peer_process(int descriptor) {
#ifdef __linux__
    // struct ucred of unix(7), which glibc declares for GNU sources only.
    struct { int32_t pid; uint32_t uid; uint32_t gid; } credentials = { 0, 0, 0 };
    socklen_t size = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0) return credentials.pid;
#endif
    (void)descriptor;
    return 0;
}

// The bytes that have been read from a tcp connection so far; -1 where the kernel does not report them.
static inline int64_t czmq_read_bytes(int descriptor) {
#ifdef __linux__
    // struct tcp_info of linux/tcp.h since 4.2: tcpi_bytes_received. glibc's own struct ends before it.
    enum { tcp_info_option = 11, received_offset = 128 };
    char info[256];
    socklen_t size = sizeof info;
    int64_t received;
    int waiting = 0;
    if (getsockopt(descriptor, IPPROTO_TCP, tcp_info_option, info, &size) != 0) return -1;
    if (size < received_offset + sizeof received || ioctl(descriptor, FIONREAD, &waiting) != 0) return -1;
    memcpy(&received, info + received_offset, sizeof received);
    return received - waiting;
#else
    (void)descriptor;
    return -1;
#endif
}

#endif
