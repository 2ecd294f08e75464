#ifndef FLOOR_H
#define FLOOR_H

#include <stddef.h>
#include <zmq.h>

// The exchange of the Swift side with libzmq alone: the same frames of the same sizes, no ledger, no heartbeats, no
// deadlines, no events, no JSON. Its cost is the lower bound of the cost of the exchange.

enum { MAX_FRAMES = 16, CONTROL_BYTES = 32, HEADER_BYTES = 178 };

typedef struct {
    zmq_msg_t frames[MAX_FRAMES];
    int count;
} message;

// A socket on the endpoint; the process ends with a line on stderr when that fails.
void *open_socket(void *context, int kind, const char *endpoint, int binds);

// Receives all frames of one message without waiting; 0 when there is none.
int receive(void *socket, message *into);

// Sends frames `first...` of the message and releases them.
void send_from(void *socket, message *message, int first);

void add_frame(message *message, const void *bytes, size_t count);

// Waits until one of the sockets is readable.
void wait_for(void *socket);

void run_broker(void *context, const char *endpoint);
void run_worker(void *context, const char *endpoint);
void run_client(void *context, const char *endpoint, int in_flight, long requests, size_t bytes);

#endif
