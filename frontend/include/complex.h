#ifndef _COMPLEX_H
#define _COMPLEX_H 1

/* Complex numbers are carried around, not computed with. */

#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#define I _Complex_I

double cabs(double _Complex);
double carg(double _Complex);
double cimag(double _Complex);
double creal(double _Complex);
double _Complex cexp(double _Complex);
double _Complex clog(double _Complex);
double _Complex conj(double _Complex);
double _Complex cpow(double _Complex, double _Complex);
double _Complex cproj(double _Complex);
double _Complex csqrt(double _Complex);
double _Complex csin(double _Complex);
double _Complex ccos(double _Complex);
double _Complex ctan(double _Complex);
float cabsf(float _Complex);
float cargf(float _Complex);
float cimagf(float _Complex);
float crealf(float _Complex);
float _Complex cexpf(float _Complex);
float _Complex conjf(float _Complex);
float _Complex csqrtf(float _Complex);
long double cabsl(long double _Complex);
long double cimagl(long double _Complex);
long double creall(long double _Complex);
long double _Complex cexpl(long double _Complex);
long double _Complex conjl(long double _Complex);

#endif
