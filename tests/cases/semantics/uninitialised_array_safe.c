extern void reach_error(void);
int main(void) {
    char a[2] = {0};
    if (a[1] == 7)
        reach_error();
    return 0;
}
