#include "floor.h"

#include <string.h>

// Sends every body back.
void run_worker(void *context, const char *endpoint) {
    void *dealer = open_socket(context, ZMQ_DEALER, endpoint, 0);
    message in;
    in.count = 0;
    add_frame(&in, "MDPW02", 6);
    add_frame(&in, "\1", 1);
    add_frame(&in, "bench.echo", 10);
    send_from(dealer, &in, 0);
    while (1) {
        if (!receive(dealer, &in)) {
            wait_for(dealer);
            continue;
        }
        memcpy(zmq_msg_data(&in.frames[1]), "\4", 1);
        send_from(dealer, &in, 0);
    }
}
