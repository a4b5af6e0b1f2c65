/* The result of a call, used within the expression and copied. */
#include <assert.h>

struct pair {
    int both[2];
};

struct pair make(int first)
{
    struct pair made = {{first, 2}};
    return made;
}

int second(struct pair of)
{
    return of.both[1];
}

int main(void)
{
    struct pair copy = make(1);
    assert(*make(3).both == 3 && second(make(4)) == 2);
    for (int i = 0; i < make(2).both[0]; i++)
        copy = i ? make(i) : ({ make(7); });
    assert(copy.both[0] == 1);
    return make(0).both[0];
}
