// Static objects that are defined `const` cannot be written to, through whatever pointer.
struct s {
    int a;
    const char *text;
};
typedef const int pair[2];

static const struct s record = {1, "one"};
const int array[3] = {1, 2, 3};
pair numbers = {1, 2};
int which(void);

int main(void) {
    static const int local;
    switch (which()) {
    case 0: *(int *)&record.a = 2; break;
    case 1: ((int *)array)[1] = 3; break;
    case 2: ((int *)numbers)[1] = 3; break;
    case 3: *(int *)&local = 1; break;
    case 4: ((char *)__func__)[0] = 'x'; break;
    case 5: ((char *)record.text)[0] = 'x'; break;
    }
    return 0;
}
