#ifndef CZEROMQ_SHIM_H
#define CZEROMQ_SHIM_H

#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include <zmq.h>

#ifdef __linux__
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#endif

// Sums of macros are not imported into Swift, so they are named here.
static const int czmq_eterm = ETERM;
static const int czmq_efsm = EFSM;

// The library has this option since 4.3.0, but its header declares it only with the draft API.
static const int czmq_zap_enforce_domain = 93;

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
