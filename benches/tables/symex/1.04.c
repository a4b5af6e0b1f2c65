// Two children add one under a lock.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int val;
static void *child(void *p) {
  pthread_mutex_lock(&m);
  int t = val;
  val = t + 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, child, 0);
  pthread_create(&b, 0, child, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(val == 2);
}
