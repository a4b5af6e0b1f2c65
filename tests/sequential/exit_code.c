void out(long long);
void exit(int) __attribute__((noreturn));
static void leave(int n) { if (n > 2) exit(n * 10); out(n); }
int main(void) {
    for (int i = 0;; i++) leave(i);
}
