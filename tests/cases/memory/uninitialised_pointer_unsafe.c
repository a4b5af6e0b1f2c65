int main(void) {
    int x = 0;
    int *p ;
    *p = 1;
    return 0;
}
