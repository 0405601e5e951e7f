import { deflateSync } from 'node:zlib'
import { toSrgb } from '../../../src/vision/image/colour-profile.ts'
import { decodePicture, openPicture } from '../../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { readOrientation } from '../../../src/vision/image/orientation.ts'
import { PictureError } from '../../../src/vision/picture-error.ts'
import { encodeWebp } from '../../fixtures/pictures/encode-webp.ts'
import { concat } from '../../fixtures/pictures/hostile/damage.ts'
import { makeJpeg } from '../../fixtures/pictures/make-jpeg.ts'
import { adobeRgb, displayP3, makeProfile, tableCurve } from '../../fixtures/pictures/make-profile.ts'
import { progressiveJpeg } from '../../fixtures/pictures/progressive-jpeg.ts'
import { withOrientation } from '../../fixtures/pictures/with-orientation.ts'
import { withCountedTurns } from '../count-work.ts'
import { mutateBytes, mutateParts } from '../mutate.ts'
import { jpegParts, pngParts, webpParts, type Format } from '../picture-parts.ts'
import { expectThat, type Target } from '../target.ts'

const maxEdge = 1280
const width = 64
const height = 48

const picture = (opacity: number) => ({
  width,
  height,
  data: Uint8ClampedArray.from({ length: width * height * 4 }, (_, at) => (at % 4 === 3 ? opacity : (at * 7) % 251)),
})

async function decode(bytes: Uint8Array): Promise<void> {
  try {
    const stored = openPicture(bytes)
    const decoded = await withCountedTurns(stored, async () => decodePicture(bytes, maxEdge))
    const { data, ...size } = decoded.picture
    expectThat(data.length === size.width * size.height * 4, 'gives a whole picture')
    expectThat(Math.max(size.width, size.height) <= maxEdge && decoded.scale > 0, 'gives a working copy')
  } catch (error) {
    if (!(error instanceof PictureError)) throw error
    expectThat(/^[A-Z].*\.$/.test(error.message), 'refuses with a sentence')
  }
}

function pictureTarget(name: string, { split, join }: Format, valid: readonly Uint8Array[]): Target {
  return {
    name,
    leastInputs: 20_000,
    make(random) {
      const whole = random.pick(valid)
      if (random.chance(0.02)) return whole
      return random.chance(0.4) ? mutateBytes(random, whole) : join(mutateParts(random, split(whole)))
    },
    run: decode,
  }
}

const word = (value: number) => [value >> 8, value & 255]

/** Builds a PNG of any kind: compressed rows of zeros, each after a filter byte. */
function makePng(colourType: number, depth: number, interlaced: boolean): Uint8Array {
  const channels = [1, 0, 3, 1, 2, 0, 4][colourType] ?? 1
  const rowBytes = Math.ceil((width * channels * depth) / 8)
  const data = Uint8Array.from({ length: (rowBytes + 1) * height * 2 }, (_, at) =>
    at % (rowBytes + 1) === 0 ? at % 5 : at % 256,
  )
  const text = (name: string, content: readonly number[] | Uint8Array) =>
    concat(
      Uint8Array.from(name, (letter) => letter.charCodeAt(0)),
      Uint8Array.from(content),
    )
  const header = [0, 0, ...word(width), 0, 0, ...word(height), depth, colourType, 0, 0, interlaced ? 1 : 0]
  return pngParts.join([
    Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    text('IHDR', header),
    ...(colourType === 3 ? [text('PLTE', [...Array(48).keys()]), text('tRNS', [0, 128, 255])] : []),
    text('IDAT', deflateSync(data)),
    text('IEND', []),
  ])
}

const samplings = [
  [[1, 1]],
  [
    [2, 2],
    [1, 1],
    [1, 1],
  ],
  [
    [1, 1],
    [1, 1],
    [1, 1],
    [1, 1],
  ],
] as const

const baseline = encodeJpeg(picture(255), 85)

export const jpegTarget = pictureTarget('jpeg', jpegParts, [
  baseline,
  progressiveJpeg,
  withOrientation(baseline, 6),
  ...samplings.map((sampling) =>
    makeJpeg({
      width,
      height,
      sampling,
      samples: (x, y) => sampling.map(() => (x * y) % 256),
      restartInterval: 3,
      adobe: true,
    }),
  ),
])

export const pngTarget = pictureTarget(
  'png',
  pngParts,
  (
    [
      [0, 1],
      [0, 16],
      [2, 8],
      [2, 16],
      [3, 4],
      [4, 8],
      [6, 8],
      [6, 16],
    ] as const
  ).flatMap(([colourType, depth]) => [false, true].map((interlaced) => makePng(colourType, depth, interlaced))),
)

export const webpTarget = pictureTarget('webp', webpParts, [
  await encodeWebp(picture(255)),
  await encodeWebp(picture(128)),
  await encodeWebp(picture(128), true),
])

const tiffs = [false, true].map((littleEndian) => withOrientation(baseline, 6, littleEndian).subarray(12, 38))

export const exifTarget: Target = {
  name: 'exif',
  leastInputs: 50_000,
  make: (random) => mutateBytes(random, random.pick(tiffs)),
  run: async (input) =>
    expectThat([1, 2, 3, 4, 5, 6, 7, 8].includes(readOrientation(input)), 'gives an orientation for any bytes'),
}

const profiles = [displayP3, adobeRgb, { ...adobeRgb, curve: tableCurve([0, 0.1, 0.4, 1]) }].map(makeProfile)

export const profileTarget: Target = {
  name: 'profile',
  leastInputs: 20_000,
  make: (random) => mutateBytes(random, random.pick(profiles)),
  run: async (input) => {
    const { data } = await toSrgb(picture(255), input)
    const isOpaque = data.every((value, at) => at % 4 !== 3 || value === 255)
    expectThat(data.length === width * height * 4 && isOpaque, 'gives a whole picture for any bytes')
  },
}
