/* What is printed is read. */
#include <pthread.h>
#include <stdio.h>
static char text[8] = "abc";
static void *writes(void *arg) { text[0] = 'x'; return 0; }
static void *prints(void *arg)
{
    puts(text);
    fwrite(text, 1, 3, stdout);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writes, 0);
    pthread_create(&b, 0, prints, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
