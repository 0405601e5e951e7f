/* Decodes a still WebP with libwebp, scaled down inside the decoder, which never holds a lossy picture at full size. */
#include <stdlib.h>
#include "src/webp/decode.h"
#include "host.h"

/*
 * Decodes a file of `length` bytes to RGBA of the given output size, and returns the address of the pixels. Fails where
 * the file's own size is not the expected one, before anything is decoded.
 */
EXPORT("decode") unsigned char *decode(int length, int width, int height, int output_width, int output_height) {
  unsigned char *input = malloc((size_t)length);
  WebPDecoderConfig config;
  if (input == NULL || host_read(input, length) != length || !WebPInitDecoderConfig(&config)) host_fail(DAMAGED);
  if (WebPGetFeatures(input, (size_t)length, &config.input) != VP8_STATUS_OK) host_fail(DAMAGED);
  if (config.input.width != width || config.input.height != height || config.input.has_animation) host_fail(DAMAGED);
  config.output.colorspace = MODE_RGBA;
  config.options.use_scaling = output_width != width || output_height != height;
  config.options.scaled_width = output_width;
  config.options.scaled_height = output_height;
  if (WebPDecode(input, (size_t)length, &config) != VP8_STATUS_OK) host_fail(DAMAGED);
  return config.output.u.RGBA.rgba;
}
