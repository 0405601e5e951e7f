import { z } from 'zod'
import type { Point } from '../picture.ts'
import { simplifyRing } from '../geometry.ts'
import { isCutOut, scaleSources } from '../scene.ts'
import type { Tagging } from '../tagging.ts'
import { type ItemType, itemTypes } from '../taxonomy/item-types.ts'

/** The drawing over a copy of a picture, in pixels of that copy. */
export interface Drawing extends Pick<Tagging, 'outlines' | 'holes' | 'card' | 'lines' | 'scaleSource'> {
  readonly isCutOut: boolean
  readonly itemType: ItemType
  readonly colour: string
  /** `#rrggbb`, or empty if unknown. */
  readonly colourHex: string
  /** Pixels of the upright original per pixel of the copy. */
  readonly scale: number
}

export const toDrawing = (tagging: Tagging, scale: number): Drawing => ({
  ...tagging,
  isCutOut: isCutOut(tagging),
  colour: textOf(tagging.tag['Colour']),
  colourHex: textOf(tagging.tag['Colour Hex']),
  scale,
})

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Tolerance in pixels of the copy when outlines are simplified. Outlines are no more exact than that. */
const maxDeviation = 0.5

const fractions = 4

/** Encodes coordinates as differences from the previous point, because they have fewer digits. */
function formatRing(points: readonly Point[]): number[] {
  let [x, y] = [0, 0]
  return points.flatMap((point) => {
    const [nextX, nextY] = [Math.round(point[0] * fractions), Math.round(point[1] * fractions)]
    const step = [nextX - x, nextY - y]
    ;[x, y] = [nextX, nextY]
    return step
  })
}

function parseRing(numbers: readonly number[]): Point[] {
  let [x, y] = [0, 0]
  const points: Point[] = []
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    x += numbers[at] ?? 0
    y += numbers[at + 1] ?? 0
    points.push([x / fractions, y / fractions])
  }
  return points
}

const ring = z.array(z.int()).transform(parseRing)
const point = z.tuple([z.number(), z.number()])

const storedSchema = z.object({
  uuid: z.string(),
  /** Id of the uploaded file. Empty for a picture given by URL. */
  file: z.string(),
  /** Clockwise degrees by which the copy is rotated after EXIF, unlike the file. */
  rotation: z.literal([0, 90, 180, 270]).default(0),
  drawing: z.object({
    outlines: z.array(ring),
    holes: z.array(ring),
    card: z.array(point),
    lines: z.array(z.object({ name: z.string(), from: point, to: point, cm: z.number() })),
    scaleSource: z.enum(scaleSources).nullable(),
    isCutOut: z.boolean(),
    itemType: z.enum(itemTypes),
    colour: z.string(),
    colourHex: z.string(),
    scale: z.number().positive(),
  }),
})

export type CleanCopy = Omit<z.infer<typeof storedSchema>, 'drawing'> & { readonly drawing: Drawing }

/** JPEG segment (APP13) of the drawing, which other programs ignore. */
const marker = 0xed
const name = 'garment-tagging\0'
const headerLength = 4 + name.length

const maxBytes = 0xffff - 2 - name.length

/** Writes the drawing into a JPEG segment, because object metadata holds 2 kB. Simplifies outlines until they fit. */
export function formatCopy(
  jpeg: Uint8Array,
  { uuid, file, rotation = 0, drawing }: Omit<CleanCopy, 'rotation'> & Partial<CleanCopy>,
): Uint8Array {
  const rounded = ([x, y]: Point): Point => [
    Math.round(x * fractions) / fractions,
    Math.round(y * fractions) / fractions,
  ]
  const { isCutOut: isCut, itemType, colour, colourHex, scale, scaleSource, card, lines } = drawing
  const text = (deviation: number) => {
    const ringsOf = (rings: Drawing['outlines']) => rings.map((each) => formatRing(simplifyRing(each, deviation)))
    const stored = {
      isCutOut: isCut,
      itemType,
      colour,
      colourHex,
      scale,
      scaleSource,
      outlines: ringsOf(drawing.outlines),
      holes: ringsOf(drawing.holes),
      card: card.map(rounded),
      lines: lines.map(({ name: of, from, to, cm }) => ({ name: of, from: rounded(from), to: rounded(to), cm })),
    }
    return new TextEncoder().encode(
      JSON.stringify({ uuid, file, ...(rotation !== 0 && { rotation }), drawing: stored }),
    )
  }
  let deviation = maxDeviation
  let content = text(deviation)
  while (content.length > maxBytes) content = text((deviation *= 2))
  const length = 2 + name.length + content.length
  const copy = new Uint8Array(jpeg.length + 2 + length)
  copy.set(jpeg.subarray(0, 2))
  copy.set([0xff, marker, length >> 8, length & 255, ...new TextEncoder().encode(name)], 2)
  copy.set(content, 2 + headerLength)
  copy.set(jpeg.subarray(2), 4 + length)
  return copy
}

export function readCopy(bytes: Uint8Array): CleanCopy | null {
  const start = 2 + headerLength
  const text = new TextDecoder()
  if (bytes[2] !== 0xff || bytes[3] !== marker || text.decode(bytes.subarray(6, start)) !== name) return null
  const length = (bytes[4]! << 8) | bytes[5]!
  return storedSchema.parse(JSON.parse(text.decode(bytes.subarray(start, 4 + length))))
}
