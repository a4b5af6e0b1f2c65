// What glibc's pthread_cleanup_push and pthread_cleanup_pop become: the outer handler runs as well.
typedef unsigned long pthread_t;
typedef struct { struct { long regs[8]; int saved; } __cancel_jmp_buf[1]; void *__pad[4]; } __pthread_unwind_buf_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void pthread_exit(void *) __attribute__((__noreturn__));
extern int __sigsetjmp_cancel(void *, int) __attribute__((__returns_twice__));
extern void __pthread_register_cancel(__pthread_unwind_buf_t *);
extern void __pthread_unregister_cancel(__pthread_unwind_buf_t *);
extern void __pthread_unwind_next(__pthread_unwind_buf_t *) __attribute__((__noreturn__));
extern void reach_error(void);
int order;
static void note(void *arg) { order = order * 10 + (int)(long)arg; }
static void *thread(void *arg)
{
  do { __pthread_unwind_buf_t __cancel_buf; void (*__cancel_routine) (void *) = (note); void *__cancel_arg = ((void *)1); int __not_first_call = __sigsetjmp_cancel (__cancel_buf.__cancel_jmp_buf, 0); if (__builtin_expect ((__not_first_call), 0)) { __cancel_routine (__cancel_arg); __pthread_unwind_next (&__cancel_buf); } __pthread_register_cancel (&__cancel_buf); do {;
  do { __pthread_unwind_buf_t __cancel_buf; void (*__cancel_routine) (void *) = (note); void *__cancel_arg = ((void *)2); int __not_first_call = __sigsetjmp_cancel (__cancel_buf.__cancel_jmp_buf, 0); if (__builtin_expect ((__not_first_call), 0)) { __cancel_routine (__cancel_arg); __pthread_unwind_next (&__cancel_buf); } __pthread_register_cancel (&__cancel_buf); do {;
  do { } while (0); } while (0); __pthread_unregister_cancel (&__cancel_buf); if (1) __cancel_routine (__cancel_arg); } while (0);
  pthread_exit(arg);
  do { } while (0); } while (0); __pthread_unregister_cancel (&__cancel_buf); if (0) __cancel_routine (__cancel_arg); } while (0);
  return arg;
}
int main(void)
{
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  if (order != 2) reach_error();
  return 0;
}
