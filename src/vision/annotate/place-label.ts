import type { Point } from '../picture.ts'

export interface LabelBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * A place for a label that lies inside the picture and off the labels already placed: tried on each of its anchors, so
 * that it stays on its own line where another one's label is in the way, and then around the first of them in widening
 * rings, the nearest free place first.
 */
export function placeLabel(
  anchors: readonly [Point, ...Point[]],
  width: number,
  height: number,
  taken: readonly LabelBox[],
  pictureWidth: number,
  pictureHeight: number,
): LabelBox {
  const fit = ([atX, atY]: Point): LabelBox => ({
    left: Math.max(2, Math.min(pictureWidth - width - 2, atX - width / 2)),
    top: Math.max(2, Math.min(pictureHeight - height - 2, atY - height / 2)),
    width,
    height,
  })
  const free = anchors.map(fit).find((box) => !overlapsAny(box, taken))
  if (free !== undefined) return free
  const first = fit(anchors[0])
  // Around the label's own place: if the anchor is far outside of the picture, all places around it are the same.
  const [centreX, centreY] = [first.left + width / 2, first.top + height / 2]
  for (let ring = 1; ring <= 12; ring++) {
    for (let step = 0; step < 12; step++) {
      const turn = (step / 12) * 2 * Math.PI + Math.PI / 2
      const box = fit([centreX + Math.cos(turn) * ring * width * 0.3, centreY + Math.sin(turn) * ring * height * 0.6])
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
