import { pictureFormats } from '../formats.ts'
import { createByteSource } from './byte-source.ts'

/**
 * A picture without its metadata except the orientation, as it arrives: phones write into it where and when it was
 * taken. Nothing of a format that is not in the list, because its metadata cannot be found.
 */
export function eraseMetadata(picture: ReadableStream<Uint8Array>, contentType: string): ReadableStream<Uint8Array> {
  const format = pictureFormats.find((each) => each.contentType === contentType)
  const pieces = format?.erase(createByteSource(picture))
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
