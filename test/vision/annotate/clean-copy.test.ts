import { describe, expect, it } from 'vitest'
import { formatCopy, readCopy } from '../../../src/vision/annotate/clean-copy.ts'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { eraseMetadata } from '../../../src/vision/image/formats.ts'
import type { Point } from '../../../src/vision/picture.ts'
import { drawing, pictureCopy } from '../../support/picture-copy.ts'

const { jpeg } = pictureCopy
const about = { uuid: 'kleid-ä-👗', file: 'f', rotation: 90 as const, drawing }

describe('the copy of a picture', () => {
  it('is a JPEG like before, from which all that is drawn can be read', async () => {
    const copy = formatCopy(jpeg, about)
    expect(readCopy(copy)).toEqual(about)
    expect((await decodePicture(copy, 1280)).picture).toEqual((await decodePicture(jpeg, 1280)).picture)
  })

  it('is handed out without it', async () => {
    const stream = new Response(formatCopy(jpeg, about)).body as ReadableStream<Uint8Array>
    const served = new Uint8Array(await new Response(eraseMetadata(stream, 'image/jpeg')).arrayBuffer())
    expect(readCopy(served)).toBe(null)
    expect(new TextDecoder('latin1').decode(served)).not.toContain('T-Shirt')
    expect((await decodePicture(served, 1280)).picture).toEqual((await decodePicture(jpeg, 1280)).picture)
  })

  it('keeps outlines to half a pixel in few bytes', () => {
    const circle = Array.from({ length: 3000 }, (_, at): Point => {
      const angle = (at / 3000) * 2 * Math.PI
      return [640.3 + 500 * Math.cos(angle), 640.3 + 500 * Math.sin(angle)]
    })
    const copy = formatCopy(jpeg, { ...about, drawing: { ...drawing, outlines: [circle] } })
    expect(copy.length - jpeg.length).toBeLessThan(1200)
    const [outline = []] = readCopy(copy)?.drawing.outlines ?? []
    for (const [at, [x, y]] of outline.entries()) {
      const [nextX, nextY] = outline[(at + 1) % outline.length]!
      for (const [u, v] of [
        [x, y],
        [(x + nextX) / 2, (y + nextY) / 2],
      ] as const)
        expect(Math.abs(Math.hypot(u - 640.3, v - 640.3) - 500)).toBeLessThan(0.9)
    }
  })

  it('holds an outline of any length', () => {
    const comb = Array.from({ length: 40_000 }, (_, at): Point => [at / 30, at % 2 === 0 ? 0 : 1279])
    const copy = formatCopy(jpeg, { ...about, drawing: { ...drawing, outlines: [comb] } })
    expect(copy.length - jpeg.length).toBeLessThan(0x10001)
    expect(readCopy(copy)?.drawing.outlines[0]?.length).toBeGreaterThan(1)
  })

  it.each([new Uint8Array(), new Uint8Array([1, 2, 3]), jpeg])('is nothing else', (bytes) => {
    expect(readCopy(bytes)).toBe(null)
  })
})
