import { expect, it } from 'vitest'
import { openPicture } from '../../../src/vision/image/decode-picture.ts'
import { encodePng } from '../../../src/vision/image/encode-png.ts'

it('a PNG that was encoded decodes to the same pixels, with their opacity', async () => {
  for (const [width, height] of [
    [1, 1],
    [7, 200],
    [130, 64],
  ] as const) {
    const data = Uint8ClampedArray.from({ length: width * height * 4 }, (_, at) => 1 + ((at * 7919) % 250))
    const opened = openPicture(await encodePng({ width, height, data }))
    expect(opened).toMatchObject({ kind: 'PNG', width, height })
    expect((await opened.decode(1000)).data).toEqual(data)
  }
})
