#include <bits/obmc-types.h>
