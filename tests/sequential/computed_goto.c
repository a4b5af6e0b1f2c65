void out(long long);
int vm(const unsigned char *code) {
  static void *const table[] = { &&push, &&add, &&dec, &&halt, &&jnz };
  int stack[8], sp = 0; const unsigned char *pc = code;
  goto *table[*pc++];
push: stack[sp++] = *pc++; goto *table[*pc++];
add: sp--; stack[sp - 1] += stack[sp]; goto *table[*pc++];
dec: stack[sp - 1]--; goto *table[*pc++];
jnz: if (stack[sp - 1]) pc = code + *pc; else pc++; goto *table[*pc++];
halt: return stack[sp - 1];
}
int rel(int i) {
  static const int off[] = { &&a - &&a, &&b - &&a, &&c - &&a };
  goto *(&&a + off[i]);
a: return 10; b: return 20; c: return 30;
}
int loc(int i) { void *t[2]; t[0] = &&x; t[1] = &&y; void *p = t[i]; int k = 0; goto *p; x: k = 1; p = &&z; goto *p; y: k = 2; z: return k; }
int main(void) {
  unsigned char c1[] = {0, 3, 0, 4, 1, 3}; out(vm(c1));
  unsigned char c2[] = {0, 3, 2, 4, 2, 3}; out(vm(c2));
  out(rel(0)); out(rel(1)); out(rel(2)); out(loc(0)); out(loc(1)); return 0;
}
