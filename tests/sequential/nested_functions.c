void out(long long);
int apply(int (*f)(int), int x) { return f(x); }
int main(void) {
  int sq(int x) { return x * x; }
  out(sq(5)); out(apply(sq, 6));
  auto int twice(int); 
  out(twice(4));
  int twice(int x) { return sq(x) * 2; }
  { int inner(void) { return 3; } out(inner()); }
  return 0;
}
