int x;
int main(void) {
    int *p = 0;
    *p = 1;
    return 0;
}
