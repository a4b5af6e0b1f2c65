extern void reach_error(void);
int main(void) {
    int x = 1;
    if (x == 2) {
        __asm__ volatile("hlt");
        reach_error();
    }
    return 0;
}
