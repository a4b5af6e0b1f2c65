// A child writes 5, main writes 3 to one cell.
#include <assert.h>
#include <pthread.h>
int val;
static void *child(void *p) { val = 5; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, child, 0);
  val = 3;
  pthread_join(t, 0);
  assert(val == 3 || val == 5);
}
