# 1 "original.c"
# 1 "<built-in>"
# 1 "<command-line>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 0 "<command-line>" 2
# 1 "original.c"
extern void reach_error(void);
# 17 "other.h" 3 4
extern int twice (int __x) __attribute__ ((__nothrow__ , __leaf__));
# 4 "original.c" 2
int twice(int x) { return 2 * x; }

int main(void) {
# 100 "generated.y"
  if (twice(3) != 6) { reach_error(); }
  return 0;
}
