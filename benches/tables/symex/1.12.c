// A child writes 10 if it sees 0; main writes 1.
#include <assert.h>
#include <pthread.h>
int val;
static void *child(void *p) {
  if (val == 0)
    val = 10;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, child, 0);
  val = 1;
  pthread_join(t, 0);
  assert(val == 10);
}
