/*
 * Decodes a still WebP with libwebp, scaled down inside the decoder, which never holds a lossy picture at full size.
 * JavaScript calls open, and decode until that returns the pixels.
 */
#include <stdlib.h>
#include "src/webp/decode.h"
#include "host.h"

/*
 * What may be done before the decoder suspends itself, in steps that take about 10 ns: a pixel is one of them in a lossy
 * picture, and a byte of its input six. `libwebp.patch` makes libwebp count them.
 */
int work_left;

static WebPDecoderConfig config;
static WebPIDecoder *decoder;
static unsigned char *input;
static size_t input_length;

/* Takes a file of `length` bytes. Fails where its own size is not the expected one, before anything is decoded. */
EXPORT("open") void open_picture(int length, int width, int height, int output_width, int output_height) {
  input_length = (size_t)length;
  input = malloc(input_length);
  if (input == NULL || host_read(input, length) != length || !WebPInitDecoderConfig(&config)) host_fail(DAMAGED);
  /* Also reads the features. */
  decoder = WebPIDecode(input, input_length, &config);
  if (decoder == NULL) host_fail(DAMAGED);
  if (config.input.width != width || config.input.height != height || config.input.has_animation) host_fail(DAMAGED);
  config.output.colorspace = MODE_RGBA;
  config.options.use_scaling = output_width != width || output_height != height;
  config.options.scaled_width = output_width;
  config.options.scaled_height = output_height;
}

/* Decodes for `work` steps, or few more. Returns the address of the RGBA pixels after the last row, before that NULL. */
EXPORT("decode") unsigned char *decode(int work) {
  work_left = work;
  const VP8StatusCode status = WebPIUpdate(decoder, input, input_length);
  if (status == VP8_STATUS_OK) return config.output.u.RGBA.rgba;
  /* With work left, it is the file that has come to its end. */
  if (status != VP8_STATUS_SUSPENDED || work_left > 0) host_fail(DAMAGED);
  return NULL;
}
