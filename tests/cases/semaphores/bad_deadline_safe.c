#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>
static sem_t s;
int main(void) {
    struct timespec t = { 0, 0 };
    sem_init(&s, 0, 0);
    assert(sem_timedwait(&s, &t) == -1 && errno == ETIMEDOUT);
    return 0;
}
