#include "floor.h"

#include <string.h>

// One service and one worker, which registers with READY; the worker's frames carry the client's address, as in RFC 18.
void run_broker(void *context, const char *endpoint) {
    void *router = open_socket(context, ZMQ_ROUTER, endpoint, 1);
    zmq_msg_t worker;
    zmq_msg_init(&worker);
    message in, out;
    out.count = 0;
    while (1) {
        if (!receive(router, &in)) {
            wait_for(router);
            continue;
        }
        if (in.count > 4 && zmq_msg_size(&in.frames[1]) == 6 && memcmp(zmq_msg_data(&in.frames[1]), "MDPC02", 6) == 0) {
            // [client][MDPC02][01][service][body…] to [worker][MDPW02][02][client][][body…]
            add_frame(&out, zmq_msg_data(&worker), zmq_msg_size(&worker));
            add_frame(&out, "MDPW02", 6);
            add_frame(&out, "\2", 1);
            zmq_msg_init(&out.frames[out.count]);
            zmq_msg_move(&out.frames[out.count++], &in.frames[0]);
            add_frame(&out, NULL, 0);
            for (int i = 1; i < 4; i++) zmq_msg_close(&in.frames[i]);
            memcpy(&out.frames[out.count], &in.frames[4], sizeof(zmq_msg_t) * (size_t)(in.count - 4));
            out.count += in.count - 4;
        } else if (in.count > 5) {
            // [worker][MDPW02][04][client][][body…] to [client][MDPC02][03][service][body…]
            zmq_msg_init(&out.frames[out.count]);
            zmq_msg_move(&out.frames[out.count++], &in.frames[3]);
            add_frame(&out, "MDPC02", 6);
            add_frame(&out, "\3", 1);
            add_frame(&out, "bench.echo", 10);
            for (int i = 0; i < 5; i++) zmq_msg_close(&in.frames[i]);
            memcpy(&out.frames[out.count], &in.frames[5], sizeof(zmq_msg_t) * (size_t)(in.count - 5));
            out.count += in.count - 5;
        } else {
            zmq_msg_move(&worker, &in.frames[0]);
            for (int i = 1; i < in.count; i++) zmq_msg_close(&in.frames[i]);
            continue;
        }
        send_from(router, &out, 0);
    }
}
