/* A semaphore that cannot be had says why in errno. */
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

sem_t empty;

int main(void)
{
    sem_init(&empty, 0, 0);
    errno = 0;
    sem_trywait(&empty);
    assert(errno != EAGAIN);
    return 0;
}
