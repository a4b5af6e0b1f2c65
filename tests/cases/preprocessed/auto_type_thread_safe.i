# 1 "auto.c"
extern void reach_error(void);
static __thread int mine = 4;
static $unit$(void) { return 1; }
int main(void) {
  __auto_type p = &mine;
  *p += $unit$();
  if (mine != 5)
    reach_error();
  return 0;
}
