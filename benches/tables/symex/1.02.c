// Two children write 5 and 3; main reads one of them.
#include <assert.h>
#include <pthread.h>
int val;
static void *five(void *p) { val = 5; return 0; }
static void *three(void *p) { val = 3; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, five, 0);
  pthread_create(&b, 0, three, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  int x = val;
  assert(x == 5 || x == 3);
}
