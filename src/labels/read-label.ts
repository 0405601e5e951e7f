import { env } from 'cloudflare:workers'
import { encodeJpeg } from '../vision/image/encode-jpeg.ts'
import { withMemory } from '../vision/image/codecs/with-codec.ts'
import { type DecodedPicture, decodePicture } from '../vision/image/decode-picture.ts'
import type { Rotation } from '../vision/image/orientation.ts'
import { loadOnce } from '../vision/network/get-network.ts'
import { readWeights } from '../vision/network/read-weights.ts'
import { finishInTurns } from '../vision/network/run-in-turns.ts'
import type { Picture, Point } from '../vision/picture.ts'
import kernelsModule from './network/kernels.wasm'
import { loadTextNetworks, type TextNetworks } from './network/load-text-networks.ts'
import networks from './network/networks.json'
import { readCircled } from './reading/read-circled.ts'
import { readLines, type TextLine } from './reading/read-lines.ts'
import { type Frame, sampleFrame } from './reading/sample-frame.ts'
import { type LabelWords, parseLabelWords } from './understanding/label-words.ts'
import { isLetterSize } from './understanding/read-size.ts'
import {
  findOpenSize,
  type LabelConfidence,
  type LabelKey,
  labelKeys,
  understandLabel,
} from './understanding/understand-label.ts'

export interface LabelReading {
  readonly hasText: boolean
  readonly values: Partial<Record<LabelKey, ReadValue>>
  /** Width and height of the upright original. */
  readonly size: readonly [width: number, height: number]
}

export interface ReadValue {
  readonly value: string
  readonly confidence: LabelConfidence
  /** Left, top, right and bottom in pixels of the upright original. */
  readonly box: readonly [number, number, number, number]
  /** A JPEG of the lines that it was read from, upright. */
  readonly crop: Uint8Array
}

/** Labels have small print, so they are read at a larger size than garments. */
const maxEdge = 2048

/** Millions of multiplications that take about 20 ms. */
const workPerTurn = 200

/** The isolate's assets. Each label has the networks in memory of its own, so that labels read together cannot mix. */
const getAssets = loadOnce(async () => {
  const weights = await readWeights(env.ASSETS, networks.weights)
  const response = await env.ASSETS.fetch('https://assets.local/networks/label-words.json')
  if (response.status !== 200) throw new Error(`The label words cannot be read: ${response.status}`)
  return { weights, words: parseLabelWords(await response.json()) }
})

const alphabet = { characters: Array.from(networks.characters), rejects: networks.rejects }

/** Decodes a picture to the size at which labels are read. Throws `PictureError`. */
export const decodeLabel = async (bytes: Uint8Array, rotation?: Rotation): Promise<DecodedPicture> =>
  await decodePicture(bytes, maxEdge, rotation)

/** Decodes and reads a label. Detaches `bytes` in between to save memory. Throws `PictureError`. */
export async function readLabel(bytes: Uint8Array<ArrayBuffer>, rotation?: Rotation): Promise<LabelReading> {
  const decoded = await decodeLabel(bytes, rotation)
  bytes.buffer.transfer(0)
  return await readDecodedLabel(decoded)
}

/** Reads a label. Its text is used only to find the values, and not kept. */
export async function readDecodedLabel({ picture, scale, size }: DecodedPicture): Promise<LabelReading> {
  const { weights, words } = await getAssets()
  const lines = await withMemory(
    async (memory) =>
      await finishInTurns(
        () => readText(loadTextNetworks(kernelsModule, memory, weights), words, picture),
        workPerTurn,
      ),
  )
  const found = understandLabel(lines, words)
  const values: Partial<Record<LabelKey, ReadValue>> = {}
  for (const key of labelKeys) {
    const each = found[key]
    if (each === undefined) continue
    const { value, confidence } = each
    const read = lines.filter((_, index) => each.lines.includes(index))
    values[key] = { value, confidence, box: boxAround(read, scale, size), crop: cropLines(picture, read) }
  }
  return { hasText: lines.some(({ characters }) => characters.length > 1), values, size }
}

/** Reads a label's lines, and a size in a circle below the word for size. */
function* readText(networks: TextNetworks, words: LabelWords, picture: Picture): Generator<number, TextLine[]> {
  const lines = yield* readLines(networks, alphabet, picture)
  const index = findOpenSize(lines, words)
  const word = index === undefined ? undefined : lines[index]
  if (index === undefined || word === undefined) return lines
  const circled = yield* readCircled(networks, alphabet, picture, word, isLetterSize)
  return circled === undefined ? lines : lines.toSpliced(index + 1, 0, circled)
}

function boxAround(lines: readonly TextLine[], scale: number, [width, height]: LabelReading['size']) {
  const corners = lines.flatMap((line) => line.corners)
  const [xs, ys] = [corners.map(([x]) => x * scale), corners.map(([, y]) => y * scale)]
  const within = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)))
  return [
    within(Math.min(...xs), width),
    within(Math.min(...ys), height),
    within(Math.max(...xs), width),
    within(Math.max(...ys), height),
  ] as const
}

const maxCropWidth = 640
const maxCropHeight = 160
export const maxCropBytes = 20_000

const qualities = [80, 60, 40, 20]

/** Draws lines upright with a little room around them. */
function cropLines(picture: Picture, lines: readonly TextLine[]): Uint8Array {
  const [topLeft, topRight] = lines[0]!.corners as readonly [Point, Point]
  const length = Math.hypot(topRight[0] - topLeft[0], topRight[1] - topLeft[1])
  const u: Point = [(topRight[0] - topLeft[0]) / length, (topRight[1] - topLeft[1]) / length]
  const v: Point = [-u[1], u[0]]
  const corners = lines.flatMap((line) => line.corners)
  const along = corners.map(([x, y]) => x * u[0] + y * u[1])
  const across = corners.map(([x, y]) => x * v[0] + y * v[1])
  const room = lines[0]!.height / 3
  const [left, top] = [Math.min(...along) - room, Math.min(...across) - room]
  const [width, height] = [Math.max(...along) + room - left, Math.max(...across) + room - top]
  const scale = Math.min(1, maxCropWidth / width, maxCropHeight / height)
  const [columns, rows] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))]
  const frame: Frame = {
    origin: [left * u[0] + top * v[0], left * u[1] + top * v[1]],
    right: [u[0] / scale, u[1] / scale],
    down: [v[0] / scale, v[1] / scale],
  }
  const drawn = sampleFrame(picture, frame, columns, rows)
  let jpeg = encodeJpeg(drawn)
  for (const quality of qualities) {
    if (jpeg.length <= maxCropBytes) break
    jpeg = encodeJpeg(drawn, quality)
  }
  return jpeg
}
