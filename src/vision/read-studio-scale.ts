import { findCard } from './card/find-card.ts'
import { type Homography, project } from './card/homography.ts'
import { decodePicture } from './image/decode-picture.ts'
import { yieldToEventLoop } from '../platform/limits/yield-to-event-loop.ts'
import type { Point } from './picture.ts'
import { noteSentences } from './scene.ts'

const maxEdge = 1280

/** Largest ratio between the scales at the picture's corners. Above it, the camera is tilted. */
const maxSpread = 1.06

export type StudioScale = { readonly cmPerPixel: number } | { readonly problem: string }

/**
 * Reads a studio's centimetres per pixel of the upright original from a picture of the printed card. Returns a sentence
 * for an unreadable card or a tilted camera. Throws `PictureError` if the bytes are no picture.
 */
export async function readStudioScale(bytes: Uint8Array): Promise<StudioScale> {
  const { picture, scale } = await decodePicture(bytes, maxEdge)
  await yieldToEventLoop()
  const card = findCard(picture)
  if (card === undefined) return { problem: 'The printed card is not in the image, or it cannot be recognised.' }
  if (card.problem !== undefined) return { problem: noteSentences[card.problem] }
  const { width, height } = picture
  const scales = (
    [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ] as const
  ).map((corner) => scaleAt(card.toPlane, corner))
  const spread = Math.max(...scales) / Math.min(...scales)
  if (!(spread <= maxSpread))
    return {
      problem: `The camera does not look straight at the card: lengths differ by ${Math.round((spread - 1) * 100)} % over the image.`,
    }
  return { cmPerPixel: Number((scaleAt(card.toPlane, [width / 2, height / 2]) / scale).toPrecision(4)) }
}

function scaleAt(toPlane: Homography, [x, y]: Point): number {
  const [right, left] = [project(toPlane, [x + 0.5, y]), project(toPlane, [x - 0.5, y])]
  const [below, above] = [project(toPlane, [x, y + 0.5]), project(toPlane, [x, y - 0.5])]
  const [across, down] = [
    [right[0] - left[0], right[1] - left[1]],
    [below[0] - above[0], below[1] - above[1]],
  ] as const
  return Math.sqrt(Math.abs(across[0] * down[1] - across[1] * down[0]))
}
