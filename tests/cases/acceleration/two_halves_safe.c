/* Two threads search an array of any length, a half each. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *hay, length, needle, place;
static int found;
struct part { int from, to; };
static void *search(void *arg) {
    struct part *part = arg;
    for (int i = part->from; i < part->to && !found; i++) {
        if (hay[i] == needle) {
            found = 1;
            place = i;
        }
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    length = __VERIFIER_nondet_int();
    needle = __VERIFIER_nondet_int();
    if (length <= 0)
        return 0;
    hay = malloc(length * sizeof(int));
    struct part left = {0, length / 2}, right = {length / 2, length};
    pthread_create(&a, 0, search, &left);
    pthread_create(&b, 0, search, &right);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (found) {
        assert(place >= 0 && place < length);
        assert(hay[place] == needle);
    }
    free(hay);
    return 0;
}
