import type { Point } from '../picture.ts'

export interface LabelBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * A place for a label near `anchor` that lies inside the picture and off the labels already placed: tried on the anchor
 * and then around it in widening rings, the nearest free place first.
 */
export function placeLabel(
  [x, y]: Point,
  width: number,
  height: number,
  taken: readonly LabelBox[],
  pictureWidth: number,
  pictureHeight: number,
): LabelBox {
  const fit = (atX: number, atY: number): LabelBox => ({
    left: Math.max(2, Math.min(pictureWidth - width - 2, atX - width / 2)),
    top: Math.max(2, Math.min(pictureHeight - height - 2, atY - height / 2)),
    width,
    height,
  })
  const first = fit(x, y)
  if (!overlapsAny(first, taken)) return first
  // Around the label's own place: if the anchor is far outside of the picture, all places around it are the same.
  const [centreX, centreY] = [first.left + width / 2, first.top + height / 2]
  for (let ring = 1; ring <= 12; ring++) {
    for (let step = 0; step < 12; step++) {
      const turn = (step / 12) * 2 * Math.PI + Math.PI / 2
      const box = fit(centreX + Math.cos(turn) * ring * width * 0.3, centreY + Math.sin(turn) * ring * height * 0.6)
      if (!overlapsAny(box, taken)) return box
    }
  }
  return first
}

function overlapsAny(box: LabelBox, taken: readonly LabelBox[]): boolean {
  return taken.some(
    (other) =>
      box.left < other.left + other.width + 3 &&
      other.left < box.left + box.width + 3 &&
      box.top < other.top + other.height + 3 &&
      other.top < box.top + box.height + 3,
  )
}
