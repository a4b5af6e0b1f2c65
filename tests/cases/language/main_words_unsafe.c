/* The second word is shorter than the program takes it for. */
int main(int argc, char **argv)
{
    return argc > 2 ? argv[2][2] : 0;
}
