#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int ascending(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static void ask(void *dealer, long number, const char *payload, size_t bytes) {
    char control[CONTROL_BYTES] = {0}, header[HEADER_BYTES];
    memcpy(control, &number, sizeof number);
    memset(header, 'h', sizeof header);
    message out;
    out.count = 0;
    add_frame(&out, "MDPC02", 6);
    add_frame(&out, "\1", 1);
    add_frame(&out, "bench.echo", 10);
    add_frame(&out, control, sizeof control);
    add_frame(&out, header, sizeof header);
    add_frame(&out, payload, bytes);
    send_from(dealer, &out, 0);
}

// Keeps `in_flight` requests in flight until all are answered; the first 200 are not measured.
void run_client(void *context, const char *endpoint, int in_flight, long requests, size_t bytes) {
    void *dealer = open_socket(context, ZMQ_DEALER, endpoint, 0);
    const long warm = 200, all = requests + warm;
    char *payload = calloc(bytes + 1, 1);
    double *sent = calloc((size_t)all, sizeof *sent), *took = calloc((size_t)all, sizeof *took), start = now();
    long asked = 0, answered = 0;
    message in;
    while (answered < all) {
        while (asked < all && asked - answered < in_flight) {
            sent[asked] = now();
            ask(dealer, asked++, payload, bytes);
        }
        if (!receive(dealer, &in)) {
            wait_for(dealer);
            continue;
        }
        long number;
        memcpy(&number, zmq_msg_data(&in.frames[3]), sizeof number);
        for (int i = 0; i < in.count; i++) zmq_msg_close(&in.frames[i]);
        took[answered++] = now() - sent[number];
        if (answered == warm) start = now();
    }
    double seconds = (now() - start) / 1e6;
    qsort(took + warm, (size_t)requests, sizeof *took, ascending);
    printf("{\"p50\":%.0f,\"p99\":%.0f,\"perSecond\":%.0f}\n", took[warm + requests / 2], took[warm + requests * 99 / 100],
           (double)requests / seconds);
    free(payload);
    free(sent);
    free(took);
    zmq_close(dealer);
}
