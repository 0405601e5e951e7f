/* What JavaScript gives a codec, and how a codec offers its functions. */
#ifndef HOST_H
#define HOST_H

#include <stddef.h>

#define IMPORT(name) __attribute__((import_module("host"), import_name(name)))
#define EXPORT(name) __attribute__((export_name(name)))

/* Copies the next bytes of the file to `target`, at most `capacity`, and returns their number: 0 at the end. */
IMPORT("read") extern int host_read(void *target, int capacity);

/* Throws in JavaScript, so that the instance is never entered again. */
IMPORT("fail") extern _Noreturn void host_fail(int reason);

enum { DAMAGED = 1, CUT_OFF = 2 };

#endif
