#include <nats/nats.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The exchange of the Swift side with libnats alone: a queue group, an inbox, payloads of the same sizes; no deadlines,
// no signs of work, no events, no JSON. Its cost is the lower bound of the cost of the exchange over that server.

enum { CONTROL_BYTES = 46, HEADER_BYTES = 178, WARM = 200 };
static const char *const SUBJECT = "floor.echo";
static const char *const INBOX = "floor.inbox";

static void check(natsStatus status, const char *what) {
    if (status == NATS_OK) return;
    fprintf(stderr, "nats-floor: %s: %s\n", what, natsStatus_GetText(status));
    exit(70);
}

static natsConnection *connect_to(const char *url) {
    natsOptions *options;
    natsConnection *connection;
    check(natsOptions_Create(&options), "options");
    check(natsOptions_SetURL(options, url), url);
    // Sent at once: without this a thread collects messages, and a round trip takes 2 ms.
    check(natsOptions_SetSendAsap(options, true), "send at once");
    check(natsConnection_Connect(&connection, options), url);
    natsOptions_Destroy(options);
    return connection;
}

static void echo(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure) {
    (void)subscription;
    (void)closure;
    check(natsConnection_Publish(connection, natsMsg_GetReply(message), natsMsg_GetData(message),
                                 natsMsg_GetDataLength(message)), "answer");
    natsMsg_Destroy(message);
}

static void run_worker(const char *url) {
    natsConnection *connection = connect_to(url);
    natsSubscription *subscription;
    check(natsConnection_QueueSubscribe(&subscription, connection, SUBJECT, "floor", echo, NULL), "subscribe");
    check(natsConnection_Flush(connection), "flush");
    while (1) nats_Sleep(1000);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int ascending(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static struct {
    natsConnection *connection;
    char *payload;
    int bytes;
    long asked, answered, all;
    double *sent, *took, start;
    pthread_mutex_t mutex;
    pthread_cond_t end;
} client = {.mutex = PTHREAD_MUTEX_INITIALIZER, .end = PTHREAD_COND_INITIALIZER};

static void ask(void) {
    long number = client.asked++;
    memcpy(client.payload, &number, sizeof number);
    client.sent[number] = now();
    check(natsConnection_PublishRequest(client.connection, SUBJECT, INBOX, client.payload, client.bytes), "ask");
}

static void receive(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure) {
    (void)connection;
    (void)subscription;
    (void)closure;
    long number;
    memcpy(&number, natsMsg_GetData(message), sizeof number);
    natsMsg_Destroy(message);
    pthread_mutex_lock(&client.mutex);
    client.took[client.answered++] = now() - client.sent[number];
    if (client.answered == WARM) client.start = now();
    if (client.asked < client.all) ask();
    if (client.answered == client.all) pthread_cond_signal(&client.end);
    pthread_mutex_unlock(&client.mutex);
}

// Keeps `in_flight` requests in flight until all are answered; the first ones are not measured.
static void run_client(const char *url, int in_flight, long requests, int bytes) {
    natsSubscription *subscription;
    client.connection = connect_to(url);
    client.bytes = CONTROL_BYTES + HEADER_BYTES + bytes;
    client.payload = calloc((size_t)client.bytes, 1);
    client.all = requests + WARM;
    client.sent = calloc((size_t)client.all, sizeof *client.sent);
    client.took = calloc((size_t)client.all, sizeof *client.took);
    client.start = now();
    check(natsConnection_Subscribe(&subscription, client.connection, INBOX, receive, NULL), "subscribe");
    natsMsg *first = NULL;
    while (natsConnection_Request(&first, client.connection, SUBJECT, client.payload, client.bytes, 1000) != NATS_OK) {}
    natsMsg_Destroy(first);
    pthread_mutex_lock(&client.mutex);
    for (int i = 0; i < in_flight; i++) ask();
    while (client.answered < client.all) pthread_cond_wait(&client.end, &client.mutex);
    double seconds = (now() - client.start) / 1e6;
    pthread_mutex_unlock(&client.mutex);
    qsort(client.took + WARM, (size_t)requests, sizeof *client.took, ascending);
    printf("{\"p50\":%.0f,\"p99\":%.0f,\"perSecond\":%.0f}\n", client.took[WARM + requests / 2],
           client.took[WARM + requests * 99 / 100], (double)requests / seconds);
}

int main(int count, char **words) {
    if (count == 3 && strcmp(words[1], "worker") == 0) run_worker(words[2]);
    else if (count == 6 && strcmp(words[1], "client") == 0)
        run_client(words[2], atoi(words[3]), atol(words[4]), atoi(words[5]));
    else {
        fprintf(stderr, "usage: nats-floor worker URL | client URL IN-FLIGHT REQUESTS BYTES\n");
        return 64;
    }
    return 0;
}
