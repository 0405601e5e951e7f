import { findCard } from '../../../src/vision/card/find-card.ts'
import { project } from '../../../src/vision/card/homography.ts'
import type { Picture, Point } from '../../../src/vision/picture.ts'
import { createRandom } from '../../../training/flat-lay/random.ts'
import { mapOf, type View } from '../../eval/card/camera.ts'
import type { Light } from '../../eval/card/light.ts'
import { renderScene, type Scene } from '../../eval/card/render-scene.ts'

export const plainView: View = {
  width: 480,
  height: 360,
  focal: 375,
  target: [0, 0],
  distance: 70,
  tilt: 0,
  direction: 0,
  roll: 0,
}

export const evenLight: Light = {
  paper: 235,
  ink: 30,
  shadow: { through: [0, 0], turn: 0, left: 1, edge: 1 },
  blur: 0.5,
  noise: 2,
}

/** Boards of wood, whose gaps are dark lines. */
export const boards: Scene['floor'] = { picture: drawBoards(), cmPerPixel: 0.25 }

function drawBoards(): Picture {
  const [width, height] = [64, 64]
  const data = new Uint8ClampedArray(width * height * 4)
  for (let index = 0; index < width * height; index++) {
    const [x, y] = [index % width, Math.floor(index / width)]
    const level = y % 16 === 0 ? 40 : 120 + ((x * 7 + y * 13) % 23)
    data.set([level, level * 0.8, level * 0.6, 255], index * 4)
  }
  return { width, height, data }
}

/** A picture of the card, and what is found in it. */
export function photograph(
  view: Partial<View> = {},
  light: Partial<Light> = {},
  card: Scene['card'] = { at: [8, 3], turn: 20 },
) {
  const { width, height, ...rest } = { ...plainView, ...view }
  const toPicture = mapOf({ width, height, ...rest })
  const scene = { width, height, toPicture, floor: boards, card, light: { ...evenLight, ...light } }
  const picture = renderScene(scene, createRandom(7))
  return { picture, toPicture, found: findCard(picture) }
}

/** What the card makes of a length from one place of the plane to another, over the true length. */
export function measured(
  { toPicture, found }: Omit<ReturnType<typeof photograph>, 'picture'>,
  from: Point,
  to: Point,
): number {
  if (found === undefined) return Number.NaN
  const [a, b] = [from, to].map((place) => project(found.toPlane, project(toPicture, place))) as [Point, Point]
  return Math.hypot(a[0] - b[0], a[1] - b[1]) / Math.hypot(from[0] - to[0], from[1] - to[1])
}
