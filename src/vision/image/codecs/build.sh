#!/bin/bash
# Builds jpeg.wasm, webp.wasm and png.wasm from the sources of Debian 12 (see README.md).
# Usage: build.sh SOURCES, a folder that holds what `apt-get source libjpeg-turbo libwebp zlib` unpacked.
set -euo pipefail
sources=$(realpath "$1")
cd "$(dirname "$0")"
jpeg=$(echo "$sources"/libjpeg-turbo-*/)
webp=$(echo "$sources"/libwebp-*/)
zlib=$(echo "$sources"/zlib-*/)

# build OUTPUT FILES...: at most 64 MB of memory, and a stack below the data, so that an overflow traps.
build() {
  local output=$1
  shift
  clang --target=wasm32-wasi -O3 -flto -DNDEBUG -w -I. -nostartfiles \
    -Wl,--no-entry,--import-memory,--initial-memory=1048576,--max-memory=67108864,-z,stack-size=131072,--stack-first \
    -Wl,--strip-all,--lto-O3 "$@" -o "$output"
}

in_folder() {
  local folder=$1
  shift
  for name in "$@"; do echo "$folder/$name.c"; done
}

build jpeg.wasm -I"$jpeg" -include jconfigint.h jpeg.c $(in_folder "$jpeg" jcomapi jdapimin jdapistd jdcoefct jdcolor \
  jddctmgr jdhuff jdinput jdmainct jdmarker jdmaster jdmerge jdphuff jdpostct jdsample jidctflt jidctfst jidctint \
  jidctred jquant1 jquant2 jutils jmemmgr jmemnobs jsimd_none)

# Bounds the work of one call: a limit on Huffman codes, and a pause after the rows that `webp.c` allows.
patched=$(mktemp -d)
cp -r "$webp/src" "$patched"
patch --directory="$patched" --strip=1 --quiet < libwebp.patch
webp=$patched

build webp.wasm -I"$webp" webp.c \
  $(in_folder "$webp/src/dec" alpha_dec buffer_dec frame_dec idec_dec io_dec quant_dec tree_dec vp8_dec vp8l_dec webp_dec) \
  $(in_folder "$webp/src/dsp" alpha_processing cpu dec dec_clip_tables filters lossless rescaler upsampling yuv) \
  $(in_folder "$webp/src/utils" bit_reader_utils color_cache_utils filters_utils huffman_utils quant_levels_dec_utils \
    random_utils rescaler_utils thread_utils utils)

build png.wasm -I"$zlib" png.c $(in_folder "$zlib" adler32 crc32 inffast inflate inftrees zutil)

sha256sum jpeg.wasm webp.wasm png.wasm
