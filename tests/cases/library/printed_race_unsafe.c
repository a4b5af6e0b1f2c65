// What `%s` reads another thread writes.
#include <pthread.h>
#include <stdio.h>

char text[4] = "abc";

void *writer(void *arg)
{
    text[0] = 'x';
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    printf("%s\n", text);
    pthread_join(t, 0);
    return 0;
}
