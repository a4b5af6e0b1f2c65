void out(long long);
static int leave(int n) { out(n); return n > 2 ? n * 10 : 0; }
int main(void) {
    for (int i = 0;; i++) {
        int code = leave(i);
        if (code)
            return code;
    }
}
