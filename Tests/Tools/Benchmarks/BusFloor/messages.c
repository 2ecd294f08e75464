#include "floor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "bus-floor: %s: %s\n", what, zmq_strerror(zmq_errno()));
    exit(70);
}

void *open_socket(void *context, int kind, const char *endpoint, int binds) {
    void *socket = zmq_socket(context, kind);
    check(socket != NULL, "socket");
    int linger = 0;
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    check((binds ? zmq_bind : zmq_connect)(socket, endpoint) == 0, endpoint);
    return socket;
}

int receive(void *socket, message *into) {
    into->count = 0;
    do {
        check(into->count < MAX_FRAMES, "too many frames");
        zmq_msg_t *frame = &into->frames[into->count];
        zmq_msg_init(frame);
        while (zmq_msg_recv(frame, socket, ZMQ_DONTWAIT) < 0) {
            if (errno == EAGAIN && into->count == 0) return 0;
            check(errno == EINTR || errno == EAGAIN, "receive");
        }
        into->count++;
    } while (zmq_msg_more(&into->frames[into->count - 1]));
    return 1;
}

void send_from(void *socket, message *message, int first) {
    for (int i = first; i < message->count; i++) {
        int flags = i + 1 < message->count ? ZMQ_SNDMORE : 0;
        while (zmq_msg_send(&message->frames[i], socket, flags) < 0) check(errno == EINTR, "send");
    }
    message->count = 0;
}

void add_frame(message *message, const void *bytes, size_t count) {
    zmq_msg_t *frame = &message->frames[message->count++];
    check(zmq_msg_init_size(frame, count) == 0, "frame");
    if (count > 0) memcpy(zmq_msg_data(frame), bytes, count);
}

void wait_for(void *socket) {
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    while (zmq_poll(&item, 1, -1) < 0) check(errno == EINTR, "poll");
}
