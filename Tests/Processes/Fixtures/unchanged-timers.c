/* Timers as the kernel keeps them, preloaded before libfaketime: there a timer that was set to a time never ends, even one
   of a clock that is not changed, and every sleep of a task is such a timer. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
    return (int)syscall(SYS_timerfd_settime, timer, flags, value, old);
}
