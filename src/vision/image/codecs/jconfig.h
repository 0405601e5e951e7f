/* libjpeg-turbo as Debian configures it, but without arithmetic coding, which hardly any file uses. */
#define JPEG_LIB_VERSION 62
#define LIBJPEG_TURBO_VERSION 2.1.5
#define LIBJPEG_TURBO_VERSION_NUMBER 2001005
#define BITS_IN_JSAMPLE 8
#define NO_GETENV
