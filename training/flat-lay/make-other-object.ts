import type { Picture } from '../../src/vision/picture.ts'
import { fillPolygon, type Vertex } from './drawing/fill-polygon.ts'
import type { Rgb } from './garments/garment.ts'
import { colourPalette } from './palette.ts'
import { createRandom, type Random } from './random.ts'

/** A picture that shows something, but no garment: discs, stars, blobs, rings, letters, heaps of small things. */
export function makeOtherObject(seed: number, width = 600, height = 800): Picture {
  const random = createRandom(seed)
  const ground = random.between(190, 255)
  const data = new Uint8ClampedArray(width * height * 4)
  const canvas = new Float32Array(width * height * 3).fill(ground)
  const kind = random.pick(['disc', 'star', 'blob', 'ring', 'letter', 'heap', 'bar', 'bottle'] as const)
  const count = kind === 'heap' ? Math.round(random.between(4, 14)) : 1
  for (let index = 0; index < count; index++) {
    const size = (kind === 'heap' ? random.between(0.04, 0.12) : random.between(0.16, 0.4)) * width
    const reach = kind === 'heap' ? 0.38 : 0.06
    const centre: Vertex = [
      width * (0.5 + random.between(-reach, reach)),
      height * (0.5 + random.between(-reach, reach)),
    ]
    const rgb = pickColour(random, ground)
    paint(
      canvas,
      width,
      height,
      outline(kind === 'heap' ? random.pick(['disc', 'star', 'blob', 'bar'] as const) : kind, size, centre, random),
      rgb,
      random,
    )
    if (kind === 'ring')
      paint(canvas, width, height, ellipse(centre, size * 0.6, size * 0.6), [ground, ground, ground], random)
  }
  const noise = random.between(0, 4)
  for (let index = 0; index < width * height; index++) {
    const grain = (random.next() + random.next() - 1) * noise * 2
    for (let channel = 0; channel < 3; channel++) data[index * 4 + channel] = canvas[index * 3 + channel]! + grain
    data[index * 4 + 3] = 255
  }
  return { width, height, data }
}

type Kind = 'disc' | 'star' | 'blob' | 'ring' | 'letter' | 'bar' | 'bottle'

function outline(kind: Kind, size: number, centre: Vertex, random: Random): Vertex[] {
  if (kind === 'disc' || kind === 'ring') return ellipse(centre, size, size * random.between(0.7, 1.3))
  const turn = random.between(0, 6.28)
  const place = ([x, y]: Vertex, angle: number): Vertex => [
    centre[0] + size * (x * Math.cos(angle) - y * Math.sin(angle)),
    centre[1] + size * (x * Math.sin(angle) + y * Math.cos(angle)),
  ]
  if (kind === 'star') {
    const points = Math.round(random.between(3, 9))
    const depth = random.between(0.35, 0.7)
    return Array.from({ length: points * 2 }, (_, index) =>
      place(
        [
          Math.cos((index * Math.PI) / points) * (index % 2 === 0 ? 1 : depth),
          Math.sin((index * Math.PI) / points) * (index % 2 === 0 ? 1 : depth),
        ],
        turn,
      ),
    )
  }
  if (kind === 'blob') {
    const waves = Array.from({ length: 5 }, (_, index) => ({
      size: random.between(0, 0.3) / (index + 1),
      phase: random.between(0, 6.28),
    }))
    return Array.from({ length: 80 }, (_, index) => {
      const angle = (index / 80) * 2 * Math.PI
      const radius =
        0.9 + waves.reduce((sum, wave, order) => sum + wave.size * Math.sin((order + 2) * angle + wave.phase), 0)
      return place([Math.cos(angle) * radius, Math.sin(angle) * radius], 0)
    })
  }
  if (kind === 'bar')
    return [
      [-1, -0.12],
      [1, -0.12],
      [1, 0.12],
      [-1, 0.12],
    ].map(([x, y]) => place([x!, y!], turn))
  if (kind === 'bottle')
    return [
      [-0.14, -1.5],
      [0.14, -1.5],
      [0.14, -0.9],
      [0.42, -0.6],
      [0.42, 1.2],
      [-0.42, 1.2],
      [-0.42, -0.6],
      [-0.14, -0.9],
    ].map(([x, y]) => place([x!, y!], random.between(-0.02, 0.02)))
  const letters: Vertex[][] = [
    [
      [-1, -1],
      [-0.6, -1],
      [-0.6, 0.6],
      [0.8, 0.6],
      [0.8, 1],
      [-1, 1],
    ],
    [
      [-1, -1],
      [1, -1],
      [1, -0.6],
      [-0.6, -0.6],
      [-0.6, -0.2],
      [0.5, -0.2],
      [0.5, 0.2],
      [-0.6, 0.2],
      [-0.6, 1],
      [-1, 1],
    ],
    [
      [-1, -1],
      [1, -1],
      [1, -0.6],
      [-0.4, 0.6],
      [1, 0.6],
      [1, 1],
      [-1, 1],
      [-1, 0.6],
      [0.4, -0.6],
      [-1, -0.6],
    ],
  ]
  return random.pick(letters).map((point) => place(point, random.between(-0.2, 0.2)))
}

function ellipse([x, y]: Vertex, a: number, b: number): Vertex[] {
  return Array.from(
    { length: 60 },
    (_, index) => [x + a * Math.cos((index / 60) * 6.2832), y + b * Math.sin((index / 60) * 6.2832)] as const,
  )
}

function pickColour({ pick }: Random, ground: number): Rgb {
  return pick(Object.values(colourPalette).filter((rgb) => Math.hypot(...rgb.map((value) => value - ground)) > 60))
}

function paint(
  canvas: Float32Array,
  width: number,
  height: number,
  polygon: readonly Vertex[],
  rgb: Rgb,
  random: Random,
) {
  const cover = fillPolygon(polygon, width, height)
  const shade = random.between(0, 0.2)
  for (let row = 0, at = 0; row < cover.height; row++) {
    for (let column = 0; column < cover.width; column++, at++) {
      const value = cover.values[at]!
      const index = ((cover.top + row) * width + cover.left + column) * 3
      const light = 1 - shade * (row / cover.height)
      for (let channel = 0; channel < 3; channel++)
        canvas[index + channel] = canvas[index + channel]! * (1 - value) + rgb[channel]! * light * value
    }
  }
}
