import type { Analysis } from './analyse-picture.ts'
import { readScene } from './scene.ts'
import { enlargePoint } from './image/shrink.ts'
import type { Consultation, Opinion } from './opinion.ts'
import type { Picture } from './picture.ts'
import { encodeSquare, writeQuestions } from './write-questions.ts'

/** What the analysis keeps beside the picture. */
const analysisBytes = 4 * 1024 * 1024

/** Asks for a second opinion where there is something to ask. */
export async function consult(
  { mode, ask }: Consultation,
  picture: Picture,
  analysis: Analysis,
): Promise<Opinion | undefined> {
  const { prediction, segmentation, colour, outlines, factor } = analysis
  const { heads } = prediction
  const { trust } = readScene({ ...analysis, ...heads, mask: segmentation.mask })
  const questions = writeQuestions({ heads, colour }, trust, mode)
  if (questions.length === 0) return undefined
  const inPicture = outlines.map((outline) => outline.map((point) => enlargePoint(point, factor)))
  return await ask({
    questions,
    encodePicture: () => encodeSquare(picture, inPicture),
    // The JPEG that is kept takes less than half of it, and its encoder as much.
    heldBytes: 2 * picture.data.byteLength + analysisBytes,
  })
}
