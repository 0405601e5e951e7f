import type { Picture } from '../picture.ts'
import { chunk } from './png.ts'

/** Filter type: rows are stored as differences from the row above (PNG, 9.2). */
const up = 2

const rowsAtOnce = 64

export async function encodePng(picture: Picture): Promise<Uint8Array> {
  const { width, height } = picture
  let top = 0
  const rows = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      controller.enqueue(filterRows(picture, top))
      top += rowsAtOnce
      if (top >= height) controller.close()
    },
  })
  const compressed = await new Response(rows.pipeThrough(new CompressionStream('deflate'))).bytes()
  const head = new Uint8Array(13)
  const view = new DataView(head.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  head.set([8, 6], 8)
  const named = (type: string, data: Uint8Array) => chunk(new TextEncoder().encode(type), data)
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)
  const parts = [signature, named('IHDR', head), named('IDAT', compressed), named('IEND', new Uint8Array())]
  return await new Blob(parts as Uint8Array<ArrayBuffer>[]).bytes()
}

function filterRows({ width, height, data }: Picture, top: number): Uint8Array<ArrayBuffer> {
  const line = width * 4
  const count = Math.min(rowsAtOnce, height - top)
  const out = new Uint8Array(count * (line + 1))
  for (let row = 0; row < count; row++) {
    const from = (top + row) * line
    const to = row * (line + 1)
    out[to] = up
    for (let at = 0; at < line; at++) out[to + 1 + at] = data[from + at]! - (from === 0 ? 0 : data[from - line + at]!)
  }
  return out
}
