// Two children write 5 and 6 to one element of an array.
#include <assert.h>
#include <pthread.h>
int a[5];
static void *five(void *p) { a[2] = 5; return 0; }
static void *six(void *p) { a[2] = 6; return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, five, 0);
  pthread_create(&t, 0, six, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a[2] == 5 || a[2] == 6);
}
