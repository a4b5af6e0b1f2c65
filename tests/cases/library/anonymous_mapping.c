// A mapping of zeros that two threads share, and that is given back as a whole.
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static int *page;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    page[1023]++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t other;
    page = mmap(0, 4000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    assert(page != MAP_FAILED);
    pthread_create(&other, 0, add, 0);
    add(0);
    pthread_join(other, 0);
    assert(page[1023] == 2 && page[0] == 0);
    madvise(page, 4096, MADV_WILLNEED);
    assert(munmap(page, 4096) == 0);
    return 0;
}
