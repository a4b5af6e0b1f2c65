void out(long long);
union u {
    struct { unsigned a : 3, b : 7, c : 12; signed d : 6; } f;
    unsigned char bytes[8];
};
union v {
    struct { unsigned char a : 5; unsigned char b : 5; unsigned short c : 9; } f;
    unsigned char bytes[8];
};
int main(void) {
    union u u;
    union v v;
    for (int i = 0; i < 8; i++)
        u.bytes[i] = v.bytes[i] = 0xaa;
    u.f.a = 5;
    u.f.c = 0x5a5;
    u.f.d = -3;
    v.f.b = 9;
    v.f.c = 0x155;
    for (int i = 0; i < 8; i++) {
        out(u.bytes[i]);
        out(v.bytes[i]);
    }
    out(u.f.b);
    out(v.f.a);
    return 0;
}
