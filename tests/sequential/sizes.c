#include <stddef.h>
#include <stdint.h>
void out(long long);
enum e { A, B };
typedef int grid[3][4];
int main(void) {
    grid g;
    int (*row)[4] = g;
    char s[] = "hello";
    out(sizeof(char)); out(sizeof(short)); out(sizeof(int)); out(sizeof(long)); out(sizeof(long long));
    out(sizeof(float)); out(sizeof(double)); out(sizeof(void *)); out(sizeof(_Bool)); out(sizeof(enum e));
    out(sizeof g); out(sizeof g[0]); out(sizeof row); out(sizeof *row); out(sizeof(int (*)(void)));
    out(sizeof s); out(sizeof "a\0b"); out(sizeof 'x'); out(sizeof(size_t)); out(sizeof(ptrdiff_t));
    out(sizeof(int8_t)); out(sizeof(uint16_t)); out(sizeof(int32_t)); out(sizeof(uint64_t));
    out(sizeof(intptr_t)); out(sizeof(wchar_t)); out(sizeof 1u); out(sizeof 1l); out(sizeof 1ull);
    out(sizeof(1 ? 1 : 1ll)); out(sizeof(s + 1)); out(sizeof 1.0f); out(sizeof 1.0);
    out(sizeof(struct { char a[3]; }));
    return 0;
}
