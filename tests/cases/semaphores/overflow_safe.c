// A semaphore has a largest value.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
static sem_t s;
int main(void) {
    sem_init(&s, 0, INT_MAX - 1);
    assert(sem_post(&s) == 0 || errno == 0);
    return 0;
}
