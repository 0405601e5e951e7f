import { inkedBoxes } from '../../../docs/site/card/inked-boxes.ts'
import { cornersOfPage } from '../../../src/vision/card/card-layout.ts'
import { type Homography, invert, project } from '../../../src/vision/card/homography.ts'
import type { Picture, Point } from '../../../src/vision/picture.ts'
import type { Random } from '../../../training/flat-lay/random.ts'
import { blurPlane, gauss, type Light, shadeOf } from './light.ts'

/** Where something lies in the plane: its origin, and its turn in degrees. */
export interface Placement {
  readonly at: Point
  readonly turn: number
}

interface CardPlacement extends Placement {
  /** What of a flat page shows at a place of the plane, where the page does not lie flat. */
  readonly bend?: (place: Point) => Point
}

/** A cut-out whose middle is its origin. */
export interface CutOut {
  readonly picture: Picture
  /** 1 on the garment. */
  readonly mask: Uint8Array
  readonly cmPerPixel: number
}

export interface Scene {
  readonly width: number
  readonly height: number
  readonly toPicture: Homography
  /** Tiled by mirroring. */
  readonly floor: { readonly picture: Picture; readonly cmPerPixel: number }
  readonly garment?: (Placement & { readonly cutOut: CutOut }) | undefined
  readonly card?: CardPlacement | undefined
  readonly light: Light
}

/** Above one half, because the outermost pixels of a cut-out hold some of its white ground. */
const minCover = 0.7

/** Places that a pixel of the card is sampled at, along an edge. */
const fine = 3

/** Light adds up in linear levels, not in those of a picture. */
const toLinear = Float32Array.from({ length: 256 }, (_, level) => (level / 255) ** 2.2)

/** Draws what a camera sees, exactly to the pixel. */
export function renderScene(scene: Scene, random: Random): Picture {
  const { width, height, toPicture, light } = scene
  const toPlane = invert(toPicture)
  if (toPlane === undefined) throw new Error('The camera lies in the plane')
  const planes = [0, 1, 2].map(() => new Float32Array(width * height))
  const floor = readFloor(scene.floor)
  const garment = scene.garment === undefined ? undefined : readGarment(scene.garment)
  const card = scene.card === undefined ? undefined : readCard(scene.card, light)
  const box = scene.card === undefined ? undefined : boxOf(scene.card, toPicture)
  const shade = shadeOf(light)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const isFine = box !== undefined && x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]
      const count = isFine ? fine : 1
      for (let step = 0; step < count * count; step++) {
        const dx = ((step % count) + 0.5) / count - 0.5
        const dy = (Math.floor(step / count) + 0.5) / count - 0.5
        const place = project(toPlane, [x + dx, y + dy])
        const colour = card?.(place) ?? garment?.(place) ?? floor(place)
        for (let channel = 0; channel < 3; channel++) planes[channel]![at]! += colour[channel]! / (count * count)
      }
      const left = shade(x, y)
      for (const plane of planes) plane[at]! *= left
    }
  }
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  planes.forEach((plane, channel) => {
    blurPlane(plane, width, height, light.blur)
    for (let at = 0; at < plane.length; at++)
      data[at * 4 + channel] = 255 * plane[at]! ** (1 / 2.2) + (light.noise === 0 ? 0 : light.noise * gauss(random))
  })
  return { width, height, data }
}

type Colour = readonly [number, number, number]

function readFloor({ picture, cmPerPixel }: Scene['floor']): (place: Point) => Colour {
  return ([x, y]) => colourAt(picture, mirror(x / cmPerPixel, picture.width), mirror(y / cmPerPixel, picture.height))
}

/** From four pixels by linear interpolation, 0 to 1. */
function coverAt(mask: Uint8Array, width: number, x: number, y: number): number {
  const [left, top] = [Math.min(width - 2, Math.floor(x)), Math.min(mask.length / width - 2, Math.floor(y))]
  const at = top * width + left
  const upper = mask[at]! * (left + 1 - x) + mask[at + 1]! * (x - left)
  const lower = mask[at + width]! * (left + 1 - x) + mask[at + width + 1]! * (x - left)
  return upper * (top + 1 - y) + lower * (y - top)
}

function mirror(value: number, length: number): number {
  const period = 2 * (length - 1)
  const within = ((value % period) + period) % period
  return within < length ? within : period - within
}

function readGarment({ cutOut, ...placement }: NonNullable<Scene['garment']>): (place: Point) => Colour | undefined {
  const { picture, mask, cmPerPixel } = cutOut
  return (place) => {
    const [x, y] = toOwn(placement, place)
    const u = x / cmPerPixel + (picture.width - 1) / 2
    const v = y / cmPerPixel + (picture.height - 1) / 2
    if (u < 0 || v < 0 || u > picture.width - 1 || v > picture.height - 1) return undefined
    return coverAt(mask, picture.width, u, v) > minCover ? colourAt(picture, u, v) : undefined
  }
}

/** Ink a hundredth of a centimetre fine. */
function readCard(placement: CardPlacement, { paper, ink }: Light): (place: Point) => Colour | undefined {
  const [[left, top], , [right, bottom]] = cornersOfPage as [Point, Point, Point, Point]
  const perCm = 100
  const [across, down] = [Math.round((right - left) * perCm), Math.round((bottom - top) * perCm)]
  const inked = new Uint8Array(across * down)
  for (const box of inkedBoxes) {
    const [from, to] = [box.left, box.left + box.width].map((x) => Math.round((x - left) * perCm)) as [number, number]
    const [first, end] = [box.top, box.top + box.height].map((y) => Math.round((y - top) * perCm)) as [number, number]
    for (let y = first; y < end; y++) inked.fill(1, y * across + from, y * across + to)
  }
  const colours = [paper, ink].map((level): Colour => {
    const value = toLinear[level]!
    return [value, value, value * 0.96]
  })
  return (place) => {
    const [x, y] = toOwn(placement, placement.bend?.(place) ?? place)
    const u = Math.floor((x - left) * perCm)
    const v = Math.floor((y - top) * perCm)
    return u < 0 || v < 0 || u >= across || v >= down ? undefined : colours[inked[v * across + u]!]
  }
}

function toOwn({ at, turn }: Placement, [x, y]: Point): Point {
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)]
  return [(x - at[0]) * cos + (y - at[1]) * sin, (y - at[1]) * cos - (x - at[0]) * sin]
}

/** From something's own place to the plane. */
export function toScene({ at, turn }: Placement, [x, y]: Point): Point {
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)]
  return [at[0] + x * cos - y * sin, at[1] + x * sin + y * cos]
}

function boxOf(card: Placement, toPicture: Homography): readonly [number, number, number, number] {
  const corners = cornersOfPage.map((corner) => project(toPicture, toScene(card, corner)))
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return [Math.min(...xs) - 2, Math.min(...ys) - 2, Math.max(...xs) + 2, Math.max(...ys) + 2]
}

function colourAt({ width, height, data }: Picture, x: number, y: number): Colour {
  const left = Math.min(width - 2, Math.floor(x))
  const top = Math.min(height - 2, Math.floor(y))
  const [u, v] = [x - left, y - top]
  const at = (top * width + left) * 4
  const channel = (offset: number) => {
    const upper = toLinear[data[at + offset]!]! * (1 - u) + toLinear[data[at + 4 + offset]!]! * u
    const below = at + width * 4 + offset
    return upper * (1 - v) + (toLinear[data[below]!]! * (1 - u) + toLinear[data[below + 4]!]! * u) * v
  }
  return [channel(0), channel(1), channel(2)]
}
