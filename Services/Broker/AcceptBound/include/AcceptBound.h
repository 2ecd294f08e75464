#ifndef ACCEPT_BOUND_H
#define ACCEPT_BOUND_H

/// Keeps libzmq from running out of descriptors, which aborts it: from now on a connection whose descriptor would be
/// `bound` or above is closed as soon as it is accepted, and libzmq sees ECONNABORTED. Linux only; no effect elsewhere.
void accept_below(int bound);

#endif
