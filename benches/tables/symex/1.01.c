// A child writes 5; main reads without a join.
#include <assert.h>
#include <pthread.h>
int val;
static void *child(void *p) { val = 5; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, child, 0);
  int x = val;
  assert(x == 5);
  pthread_join(t, 0);
}
