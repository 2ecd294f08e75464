#ifndef CNATS_SHIM_H
#define CNATS_SHIM_H

#include <dlfcn.h>
#include <nats/nats.h>
#include <stdint.h>

// The functions of libnats that are used. They are looked up at run time: only a program whose bus is NATS needs the
// library, and loading it with its TLS would cost every other start a millisecond or more.
#define CNATS_FUNCTIONS(each)                                                                                          \
    each(natsConnection_Connect)                                                                                       \
    each(natsConnection_Destroy)                                                                                       \
    each(natsConnection_GetDiscoveredServers)                                                                          \
    each(natsConnection_GetMaxPayload)                                                                                 \
    each(natsConnection_ProcessReadEvent)                                                                              \
    each(natsConnection_ProcessWriteEvent)                                                                             \
    each(natsConnection_PublishMsg)                                                                                    \
    each(natsConnection_QueueSubscribeSync)                                                                            \
    each(natsConnection_SubscribeSync)                                                                                 \
    each(natsMsgHeader_Get)                                                                                            \
    each(natsMsgHeader_Set)                                                                                            \
    each(natsMsg_Create)                                                                                               \
    each(natsMsg_Destroy)                                                                                              \
    each(natsMsg_GetData)                                                                                              \
    each(natsMsg_GetDataLength)                                                                                        \
    each(natsMsg_GetReply)                                                                                             \
    each(natsMsg_GetSubject)                                                                                           \
    each(natsOptions_Create)                                                                                           \
    each(natsOptions_Destroy)                                                                                          \
    each(natsOptions_LoadCATrustedCertificates)                                                                        \
    each(natsOptions_SetAllowReconnect)                                                                                \
    each(natsOptions_SetClosedCB)                                                                                      \
    each(natsOptions_SetErrorHandler)                                                                                  \
    each(natsOptions_SetEventLoop)                                                                                     \
    each(natsOptions_SetMaxPendingMsgs)                                                                                \
    each(natsOptions_SetNKeyFromSeed)                                                                                  \
    each(natsOptions_SetName)                                                                                          \
    each(natsOptions_SetPingInterval)                                                                                  \
    each(natsOptions_SetSecure)                                                                                        \
    each(natsOptions_SetSendAsap)                                                                                      \
    each(natsOptions_SetServers)                                                                                       \
    each(natsOptions_SetTimeout)                                                                                       \
    each(natsStatus_GetText)                                                                                           \
    each(natsSubscription_Destroy)                                                                                     \
    each(natsSubscription_Drain)                                                                                       \
    each(natsSubscription_GetPending)                                                                                  \
    each(natsSubscription_NextMsg)                                                                                     \
    each(nats_GetLastError)

typedef struct {
#define CNATS_MEMBER(name) __typeof__(name) *name;
    CNATS_FUNCTIONS(CNATS_MEMBER)
#undef CNATS_MEMBER
} cnats_functions;

// Finds all functions in the library of that name; false when the library or one of the functions is missing.
static inline bool cnats_load(const char *library, cnats_functions *functions) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return false;
    // At the end of a process OpenSSL would free what a thread that is still connecting uses.
    int (*initialize)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym(handle, "OPENSSL_init_crypto");
    const uint64_t withoutAtExit = 0x00080000;
    if (initialize != NULL) initialize(withoutAtExit, NULL);
    bool isComplete = true;
#define CNATS_FIND(name)                                                                                               \
    functions->name = (__typeof__(functions->name))dlsym(handle, #name);                                               \
    if (functions->name == NULL) isComplete = false;
    CNATS_FUNCTIONS(CNATS_FIND)
#undef CNATS_FIND
    return isComplete;
}

#endif
