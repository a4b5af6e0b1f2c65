int main(void) {
    int x = 1, y;
    __asm__("movl %1, %0\n\taddl $1, %0" : "=r"(y) : "r"(x));
    if (y != 2)
        __builtin_abort();
    return 0;
}
