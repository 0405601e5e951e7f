/*
 * Decodes a JPEG with libjpeg-turbo, row by row, so that the caller can pause between two rows. JavaScript calls open,
 * start, read_scan_row until that returns 0, and read_row until that returns 0.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "jpeglib.h"
#include "jerror.h"
#include "host.h"

enum { INPUT_BYTES = 16384, MAX_SCANS = 50 };

static struct jpeg_decompress_struct decoder;
static struct jpeg_error_mgr errors;
static struct jpeg_source_mgr source;
static unsigned char input[INPUT_BYTES];
static unsigned char *output;
static int header[4];

static void error_exit(j_common_ptr info) { host_fail(info->err->msg_code == JERR_INPUT_EOF ? CUT_OFF : DAMAGED); }
/* Warnings, such as stray bytes between segments, are common in files that every viewer shows. */
static void emit_message(j_common_ptr info, int level) {}
static void ignore(j_common_ptr info) {}
static void ignore_source(j_decompress_ptr info) {}

static boolean fill_input_buffer(j_decompress_ptr info) {
  int length = host_read(input, INPUT_BYTES);
  if (length <= 0) ERREXIT(info, JERR_INPUT_EOF);
  source.next_input_byte = input;
  source.bytes_in_buffer = length;
  return TRUE;
}

static void skip_input_data(j_decompress_ptr info, long length) {
  while (length > (long)source.bytes_in_buffer) {
    length -= (long)source.bytes_in_buffer;
    fill_input_buffer(info);
  }
  source.next_input_byte += length;
  source.bytes_in_buffer -= length;
}

/* Reads the header. Returns width, height, number of components, and 1 where the rows will be CMYK instead of RGBA. */
EXPORT("open") int *open_picture(void) {
  errors.error_exit = error_exit;
  errors.emit_message = emit_message;
  errors.output_message = ignore;
  errors.reset_error_mgr = ignore;
  decoder.err = &errors;
  jpeg_create_decompress(&decoder);
  source.init_source = ignore_source;
  source.term_source = ignore_source;
  source.fill_input_buffer = fill_input_buffer;
  source.skip_input_data = skip_input_data;
  source.resync_to_restart = jpeg_resync_to_restart;
  decoder.src = &source;
  jpeg_read_header(&decoder, TRUE);
  header[0] = (int)decoder.image_width;
  header[1] = (int)decoder.image_height;
  header[2] = decoder.num_components;
  header[3] = decoder.jpeg_color_space == JCS_CMYK || decoder.jpeg_color_space == JCS_YCCK;
  return header;
}

/* Sets the scale, in eighths. Returns the address of the row; the output's width and height replace those of `open`. */
EXPORT("start") unsigned char *start(int eighths) {
  decoder.buffered_image = jpeg_has_multiple_scans(&decoder);
  decoder.scale_num = eighths;
  decoder.scale_denom = 8;
  decoder.out_color_space = header[3] ? JCS_CMYK : JCS_EXT_RGBA;
  jpeg_start_decompress(&decoder);
  output = malloc((size_t)decoder.output_width * 4);
  if (output == NULL) host_fail(DAMAGED);
  header[0] = (int)decoder.output_width;
  header[1] = (int)decoder.output_height;
  return output;
}

/*
 * Reads the next row of blocks of a file with several scans. Returns 0 after the last row of the last scan, and for a
 * file with one scan, which is read along with its rows.
 */
EXPORT("read_scan_row") int read_scan_row(void) {
  if (!decoder.buffered_image) return 0;
  int status = jpeg_consume_input(&decoder);
  if (decoder.input_scan_number > MAX_SCANS) host_fail(DAMAGED);
  if (status != JPEG_REACHED_EOI) return 1;
  jpeg_start_output(&decoder, decoder.input_scan_number);
  return 0;
}

/* Decodes the next row. Returns 0 after the last one. */
EXPORT("read_row") int read_row(void) {
  if (decoder.output_scanline == decoder.output_height) return 0;
  JSAMPROW row = output;
  return (int)jpeg_read_scanlines(&decoder, &row, 1);
}
