// A thread-local variable may be used by others as long as its thread waits for them.
#include <pthread.h>

__thread int mine = 1;
int *_Atomic found;
int seen;
_Atomic int done;

void *owner(void *unused)
{
    found = &mine;
    while (!done)
        ;
    return 0;
}

void *reader(void *unused)
{
    int *p = found;
    if (p != 0)
        seen = *p;
    done = 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, owner, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(b, 0);
    pthread_join(a, 0);
    return 0;
}
