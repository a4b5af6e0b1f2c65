#include <assert.h>
#include <errno.h>
#include <semaphore.h>
int main(void) {
    sem_t s;
    int v;
    sem_init(&s, 0, 2);
    assert(sem_trywait(&s) == 0);
    sem_getvalue(&s, &v);
    assert(v == 1);
    assert(sem_trywait(&s) == 0);
    assert(sem_trywait(&s) == 0);
    assert(errno == EAGAIN);
    return 0;
}
