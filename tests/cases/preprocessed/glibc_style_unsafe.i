# 1 "lock.c"
typedef unsigned long int pthread_t;
typedef union
{
  char __size[56];
  long int __align;
} pthread_attr_t;
typedef union
{
  struct __my_mutex
  {
    int __lock;
    unsigned int __count;
    int __owner;
    unsigned int __nusers;
    int __kind;
    short __spins, __elision;
    struct { void *__prev, *__next; } __list;
  } __data;
  char __size[40];
  long int __align;
} pthread_mutex_t;
extern int pthread_create (pthread_t *__restrict __newthread,
      const pthread_attr_t *__restrict __attr,
      void *(*__start_routine) (void *),
      void *__restrict __arg) __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1, 3)));
extern int pthread_join (pthread_t __th, void **__thread_return);
extern int pthread_mutex_lock (pthread_mutex_t *__mutex)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));
extern int pthread_mutex_unlock (pthread_mutex_t *__mutex);
extern void __assert_fail (const char *__assertion, const char *__file,
      unsigned int __line, const char *__function)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
# 12 "lock.c"
static pthread_mutex_t m = { { 0, 0, 0, 0, 0, 0, 0, { 0, 0 } } };
int x;
void *worker(void *arg) {

  x++;

  return ((void *)0);
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, ((void *)0), worker, ((void *)0));
  pthread_create(&b, ((void *)0), worker, ((void *)0));
  pthread_join(a, ((void *)0));
  pthread_join(b, ((void *)0));
  ((x == 2) ? (void) (0) : __assert_fail ("x == 2", "lock.c", 27, __extension__ __PRETTY_FUNCTION__));
  return 0;
}
