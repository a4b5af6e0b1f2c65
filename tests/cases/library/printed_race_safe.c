// What `%s` reads another thread has written; numbers and constant strings are nobody's.
#include <pthread.h>
#include <stdio.h>

char text[4] = "abc";

void *writer(void *arg)
{
    printf("%s %d\n", "writer", 1);
    text[0] = 'x';
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    printf("%s %d\n", "main", 2);
    pthread_join(t, 0);
    printf("%s\n", text);
    return 0;
}
