// unsigned short is promoted to int, so the product is signed.
int main(void) {
    unsigned short x = 65535;
    return (unsigned)(x * x) == 5;
}
