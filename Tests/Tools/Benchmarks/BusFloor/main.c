#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
    void *context = zmq_ctx_new();
    if (count == 3 && strcmp(words[1], "broker") == 0) run_broker(context, words[2]);
    else if (count == 3 && strcmp(words[1], "worker") == 0) run_worker(context, words[2]);
    else if (count == 6 && strcmp(words[1], "client") == 0)
        run_client(context, words[2], atoi(words[3]), atol(words[4]), (size_t)atol(words[5]));
    else {
        fprintf(stderr, "usage: bus-floor broker|worker ENDPOINT | client ENDPOINT IN-FLIGHT REQUESTS BYTES\n");
        return 64;
    }
    zmq_ctx_term(context);
    return 0;
}
