// The parity of a sum holds, whatever 2N threads do to its summand.
#include <pthread.h>
#include <assert.h>
#ifndef N
#define N 2
#endif
unsigned x, y, z;

static void *loop(void *unused) {
  for (;;) {
    z = z + 2 * y;
    if (z % 2 == 0)
      x = 0;
    else
      x = 1;
    assert(x == 0);
  }
  return 0;
}
static void *increments(void *unused) { y = y + 1; return 0; }
static void *doubles(void *unused) { y = 2 * y; return 0; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, loop, 0);
  for (int i = 0; i < N; i++)
    pthread_create(&t, 0, increments, 0);
  for (int i = 0; i < N; i++)
    pthread_create(&t, 0, doubles, 0);
  pthread_join(t, 0);
  return 0;
}
