// A semaphore at its maximum is not posted to.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

int main(void) {
    sem_t s;
    sem_init(&s, 0, SEM_VALUE_MAX);
    assert(sem_post(&s) == -1 && errno == EOVERFLOW);
    int value;
    sem_getvalue(&s, &value);
    assert(value == SEM_VALUE_MAX);
    return 0;
}
