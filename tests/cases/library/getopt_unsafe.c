/* The option may come without the word that atoi reads. */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int c, count = 0;
    while ((c = getopt(argc, argv, "n::")) != -1)
        count += atoi(optarg);
    return count;
}
