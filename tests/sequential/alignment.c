#include <stddef.h>
#include <stdalign.h>
#include <stdint.h>
void out(long long);
struct s { char c; _Alignas(16) int x; char d; };
struct t { alignas(8) char c; alignas(double) char d; alignas(0) int e; };
typedef struct { alignas(64) int v; } line;
typedef int al __attribute__((aligned(32)));
alignas(128) char buf[3];
_Alignas(int) _Alignas(32) static char two;
line lines[3];
int main(void) {
  out(sizeof(struct s)); out(_Alignof(struct s)); out(offsetof(struct s, x)); out(offsetof(struct s, d));
  out(sizeof(struct t)); out(alignof(struct t)); out(offsetof(struct t, d)); out(offsetof(struct t, e));
  out(sizeof(line)); out(sizeof lines); out((char *)&lines[1] - (char *)&lines[0]);
  out((uintptr_t)&lines[1] % 64); out((uintptr_t)buf % 64); out((uintptr_t)&two % 32);
  alignas(32) int loc = 3; out((uintptr_t)&loc % 32); out(loc);
  out(__alignof__(loc)); out(__alignof__ loc); out(__alignof__(int)); out(__alignof__(lines[0].v));
  out(_Alignof(al)); out(_Alignof(char[3]));  out(__alignof__(buf));
  line l2 = {5}; line l3 = l2; out(l3.v); out((uintptr_t)&l3 % 64);
  alignas(alignof(struct s)) char z[4]; out((uintptr_t)z % 16);
  al ax = 3; out(ax); out((uintptr_t)&ax % 32);
  struct { char a; al b; } w; out(sizeof w); out(offsetof(struct {char a; al b;}, b));
  return 0;
}
