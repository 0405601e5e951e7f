import { createByteSource, type ByteSource } from './byte-source.ts'
import { eraseJpeg } from './erase-jpeg.ts'
import { erasePng } from './erase-png.ts'
import { eraseWebp } from './erase-webp.ts'

const erasers: Readonly<Record<string, (source: ByteSource) => AsyncGenerator<Uint8Array>>> = {
  'image/jpeg': eraseJpeg,
  'image/png': erasePng,
  'image/webp': eraseWebp,
}

/**
 * A picture without its metadata but for the orientation, as it arrives: phones write into it where and when it was
 * taken. A type without an eraser gives nothing, because nobody can say what such a file tells.
 */
export function eraseMetadata(picture: ReadableStream<Uint8Array>, contentType: string): ReadableStream<Uint8Array> {
  const erase = Object.hasOwn(erasers, contentType) ? erasers[contentType] : undefined
  const pieces = erase?.(createByteSource(picture))
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const next = await pieces?.next()
        if (next === undefined || next.done === true) {
          controller.close()
          return
        }
        if (next.value.length === 0) continue
        controller.enqueue(next.value)
        return
      }
    },
    async cancel() {
      await pieces?.return(undefined)
    },
  })
}
