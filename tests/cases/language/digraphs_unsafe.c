// Other spellings of brackets, braces and `#`; in literals they are just characters.
%:include <assert.h>
%:define JOIN(a, b) a%:%:b

int main(void) <%
    int JOIN(ro, w)<:2:> = <%1, 2%>;
    assert(row<:1:> == 1);
    assert("<:"<:0:> == '<');
    return 0;
%>
