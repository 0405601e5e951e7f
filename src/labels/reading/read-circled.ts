import type { Picture, Point } from '../../vision/picture.ts'
import type { TextNetworks } from '../network/load-text-networks.ts'
import { lineHeight, recogniseLine } from '../network/recognise-line.ts'
import { type Character, decodeLine } from './decode-line.ts'
import { type Alphabet, type TextLine, workPerColumn } from './read-lines.ts'
import { type Frame, sampleFrame } from './sample-frame.ts'

/** Tried distances from a word to the text below it, and heights of that text. Both are in heights of the word. */
const distances = [1.6, 1.8, 2]
const heights = [1.1, 1.4, 1.7]

const columns = 96

const minProbability = 0.6
const minVotes = 3

/** Highest probability of a character, because the detector has not found it. */
const maxProbability = 0.8

/**
 * Reads the text right below a word. The detector misses letters in circles, but the recogniser reads them. Returns the
 * text that most places and heights agree on, among texts that `isValue` accepts. Yields millions of multiplications.
 */
export function* readCircled(
  networks: TextNetworks,
  { characters, rejects }: Alphabet,
  picture: Picture,
  word: TextLine,
  isValue: (text: string) => boolean,
): Generator<number, TextLine | undefined> {
  const readings: { readonly text: string; readonly line: TextLine }[] = []
  for (const distance of distances) {
    for (const height of heights) {
      const frame = frameBelow(word, distance, height)
      const logits = recogniseLine(networks, sampleFrame(picture, frame, columns, lineHeight))
      yield columns * workPerColumn
      const read = decodeLine(logits, characters, rejects)
      const text = read.map((each) => each.text).join('')
      if (!isValue(text) || read.some(({ probability }) => probability < minProbability)) continue
      readings.push({ text, line: toLine(read, frame, word.row) })
    }
  }
  const groups = [...Map.groupBy(readings, ({ text }) => text).values()].sort((a, b) => b.length - a.length)
  const [most = [], next = []] = groups
  return most.length < minVotes || next.length * 2 >= most.length ? undefined : most[0]!.line
}

function frameBelow({ corners, height: wordHeight }: TextLine, distance: number, height: number): Frame {
  const [topLeft, topRight] = corners as readonly [Point, Point]
  const length = Math.hypot(topRight[0] - topLeft[0], topRight[1] - topLeft[1])
  const u: Point = [(topRight[0] - topLeft[0]) / length, (topRight[1] - topLeft[1]) / length]
  const scale = (height * wordHeight) / lineHeight
  const [right, down]: [Point, Point] = [
    [u[0] * scale, u[1] * scale],
    [-u[1] * scale, u[0] * scale],
  ]
  // From the middle of the word's upper edge to the middle of the frame, then to its corner.
  const below = ((distance + 0.5) * wordHeight) / scale
  const centre = [0, 1].map((axis) => (topLeft[axis]! + topRight[axis]!) / 2 + down[axis]! * below)
  const corner = (axis: 0 | 1) => centre[axis]! - (right[axis] * columns + down[axis] * lineHeight) / 2
  return { origin: [corner(0), corner(1)], right, down }
}

function toLine(read: readonly Character[], { origin, right, down }: Frame, wordRow: number): TextLine {
  const at = (x: number, y: number): Point => [
    origin[0] + right[0] * x + down[0] * y,
    origin[1] + right[1] * x + down[1] * y,
  ]
  const [start, end] = [columns / 4, (columns * 3) / 4]
  return {
    characters: read.map((each) => ({ ...each, probability: Math.min(each.probability, maxProbability) })),
    corners: [at(start, 0), at(end, 0), at(end, lineHeight), at(start, lineHeight)],
    height: lineHeight * Math.hypot(...down),
    // Between the word's row and the next one.
    row: wordRow + 0.5,
  }
}
