/*
 * Decompresses the rows of a PNG with zlib and reverses their filters (PNG specification, section 9). Only what the
 * header's size asks for is decompressed, one row at a time. JavaScript calls begin_pass, then read_row until it has all
 * rows of the pass.
 */
#include <stdlib.h>
#include <string.h>
#include "zlib.h"
#include "host.h"

/*
 * A row of 20,000 pixels of 8 bytes, the largest that the header's reader lets through. An encoder that flushes after
 * each of 20,000 rows writes two blocks for each.
 */
enum { INPUT_BYTES = 16384, READS_PER_CALL = 16, MAX_ROW_BYTES = 160000, MAX_PIXEL_BYTES = 8, MAX_BLOCKS = 50000 };

static z_stream stream;
static unsigned char input[INPUT_BYTES];
/*
 * Two rows in turn. Each is preceded by zeros, so that the pixel to the left of the first one can be read. The last of
 * them holds the number of the filter while the row is decompressed.
 */
static unsigned char *rows;
static int current, row_bytes, pixel_bytes, blocks;

enum { ROW_DISTANCE = MAX_PIXEL_BYTES + MAX_ROW_BYTES };

/* Starts the picture, or the next pass of an interlaced one: the row above its first row counts as zeros. */
EXPORT("begin_pass") void begin_pass(int bytes_per_row, int bytes_per_pixel) {
  if (bytes_per_row < 1 || bytes_per_row > MAX_ROW_BYTES || bytes_per_pixel < 1 || bytes_per_pixel > MAX_PIXEL_BYTES)
    host_fail(DAMAGED);
  if (rows == NULL) {
    rows = malloc(2 * ROW_DISTANCE);
    if (rows == NULL || inflateInit(&stream) != Z_OK) host_fail(DAMAGED);
  }
  row_bytes = bytes_per_row;
  pixel_bytes = bytes_per_pixel;
  memset(rows, 0, 2 * ROW_DISTANCE);
}

/* Decompresses the rest of the row. Returns 0 where the call has read so much that it has to pause. */
static int inflate_rest(void) {
  for (int reads = 0; stream.avail_out > 0;) {
    if (stream.avail_in == 0) {
      if (reads++ == READS_PER_CALL) return 0;
      stream.next_in = input;
      stream.avail_in = (unsigned)host_read(input, INPUT_BYTES);
      if (stream.avail_in == 0) host_fail(CUT_OFF);
    }
    /* Returns at the end of each block, without an error where the block was in the bits that zlib had read ahead. */
    int status = inflate(&stream, Z_BLOCK);
    if (status == Z_STREAM_END && stream.avail_out > 0) host_fail(CUT_OFF);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) host_fail(DAMAGED);
    /* Building the tables of a block takes time, also where it holds no pixel: 20 MiB of such blocks took seconds. */
    const int has_block_ended = (stream.data_type & 128) != 0;
    if (has_block_ended && ++blocks > MAX_BLOCKS) host_fail(DAMAGED);
  }
  return 1;
}

static int paeth(int left, int above, int corner) {
  int to_left = abs(above - corner);
  int to_above = abs(left - corner);
  int to_corner = abs(left + above - 2 * corner);
  if (to_left <= to_above && to_left <= to_corner) return left;
  return to_above <= to_corner ? above : corner;
}

static void reverse_filter(int filter, unsigned char *row, const unsigned char *above) {
  const int length = row_bytes;
  const unsigned char *left = row - pixel_bytes;
  const unsigned char *corner = above - pixel_bytes;
  switch (filter) {
    case 0:
      return;
    case 1:
      for (int i = 0; i < length; i++) row[i] += left[i];
      return;
    case 2:
      for (int i = 0; i < length; i++) row[i] += above[i];
      return;
    case 3:
      for (int i = 0; i < length; i++) row[i] += (left[i] + above[i]) >> 1;
      return;
    case 4:
      for (int i = 0; i < length; i++) row[i] += paeth(left[i], above[i], corner[i]);
      return;
    default:
      host_fail(DAMAGED);
  }
}

/*
 * Decodes the next row of the pass and returns its address, or NULL where it has read 256 KiB without coming to the end
 * of the row: then it is called again.
 */
EXPORT("read_row") unsigned char *read_row(void) {
  unsigned char *row = rows + current * ROW_DISTANCE + MAX_PIXEL_BYTES;
  unsigned char *above = rows + (1 - current) * ROW_DISTANCE + MAX_PIXEL_BYTES;
  if (stream.avail_out == 0) {
    stream.next_out = row - 1;
    stream.avail_out = (unsigned)row_bytes + 1;
  }
  if (!inflate_rest()) return NULL;
  const int filter = row[-1];
  row[-1] = 0;
  reverse_filter(filter, row, above);
  current = 1 - current;
  return row;
}
