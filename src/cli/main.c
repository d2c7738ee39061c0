/* main.c - the command-line program: finds the command and runs it. */
#include "ilcuda/status.h"

int main(void)
{
    return ilc_status_exit_code(ILC_INVALID);
}
