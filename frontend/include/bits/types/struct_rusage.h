#include <sys/resource.h>
