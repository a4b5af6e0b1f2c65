// Two children add one without a lock.
#include <assert.h>
#include <pthread.h>
int val;
static void *child(void *p) { int t = val; val = t + 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, child, 0);
  pthread_create(&b, 0, child, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(val == 2);
}
