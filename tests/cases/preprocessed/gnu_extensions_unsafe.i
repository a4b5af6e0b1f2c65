# 1 "gnu.c"
__extension__ typedef long long int quad_t;
__extension__ typedef struct { quad_t __val[2]; } fsid_t;
typedef __builtin_va_list va_list;
typedef __signed__ char s8;
extern __inline __attribute__ ((__gnu_inline__)) int abs_of (int __x)
{ return __x < 0 ? -__x : __x; }
extern int vprintf (const char *__restrict __format, __builtin_va_list __arg);
static __inline__ __const int limit = 3;
extern char *names[] __asm__ ("" "system_names");
extern void reach_error(void);
int main(void)
{
  __volatile__ s8 c = (s8) 200;
  fsid_t id = __extension__ (fsid_t) { { 1, 2 } };
  int r = __extension__ ({ int t = abs_of(-5); t + limit; });
  if (c != -56 || id.__val[1] != 2 || r != 9)
    reach_error();
  return 0;
}
