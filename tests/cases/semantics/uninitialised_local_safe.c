extern void reach_error(void);
int main(void) {
    unsigned char c = 3;
    if (c == 200)
        reach_error();
    return 0;
}
