// What happens when such a function returns is not defined.
__attribute__((noreturn)) static void forever(int n) {
    while (n)
        n--;
}

int main(void) {
    forever(2);
}
