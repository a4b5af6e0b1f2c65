// One child writes v1; the other writes v2 if v1 is not yet written.
#include <assert.h>
#include <pthread.h>
int v1, v2;
static void *a(void *p) { v1 = 1; return 0; }
static void *b(void *p) {
  if (v1 == 0)
    v2 = 1;
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(v2 == 1);
}
