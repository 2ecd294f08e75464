#ifndef ACCEPT_BOUND_H
#define ACCEPT_BOUND_H

/// Keeps libzmq from running out of descriptors, which aborts it: from now on a connection whose descriptor would be `bound`
/// or above is closed as soon as it is accepted, and libzmq learns that it was aborted. Linux only; elsewhere nothing happens.
void accept_below(int bound);

#endif
