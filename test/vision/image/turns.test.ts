import { afterEach, describe, expect, it } from 'vitest'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { createRandom } from '../../../training/flat-lay/random.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { encodeWebp } from '../../fixtures/pictures/encode-webp.ts'
import { makeLargeJpeg } from '../../fixtures/pictures/make-large-jpeg.ts'
import { makePlainPng } from '../../fixtures/pictures/make-plain-png.ts'

type Call = readonly [name: string, ...values: readonly number[]]
type Functions = Record<string, (...values: number[]) => number>

const { Instance } = WebAssembly
const { setTimeout } = globalThis

afterEach(() => {
  WebAssembly.Instance = Instance
  globalThis.setTimeout = setTimeout
})

/** The calls that the codec got and made between two turns of the event loop, as they really happened. */
async function turnsOf(bytes: Uint8Array): Promise<Call[][]> {
  const turns: Call[][] = [[]]
  const recorded = (functions: Functions, field: (values: number[], result: number) => readonly number[]): Functions =>
    Object.fromEntries(
      Object.entries(functions).map(([name, call]) => [
        name,
        (...values: number[]) => {
          const result = call(...values)
          turns.at(-1)?.push([name, ...field(values, result)])
          return result
        },
      ]),
    )
  WebAssembly.Instance = function (module: WebAssembly.Module, { env, host }: Record<string, Functions>) {
    const instance = new Instance(module, { env: env!, host: recorded(host!, (_, result) => [result]) })
    return { exports: recorded(instance.exports as Functions, (values) => values) }
  } as never
  globalThis.setTimeout = ((callback: () => void, ms: number) => {
    turns.push([])
    return setTimeout(callback, ms)
  }) as never
  await decodePicture(bytes, 1280)
  // Two timers follow each other where it yields.
  return turns.filter((turn) => turn.length > 0)
}

const callsOf = (turn: readonly Call[], name: string) => turn.filter(([called]) => called === name)
const bytesOf = (turn: readonly Call[]) => callsOf(turn, 'read').reduce((sum, [, count]) => sum + (count ?? 0), 0)
const most = (turns: readonly Call[][], of: (turn: readonly Call[]) => number) => Math.max(...turns.map(of))

describe('between two turns of the event loop', () => {
  it('a JPEG of 50 megapixels is decoded for about 4 megapixels, or 1.5 MB', async () => {
    const { picture } = makeFlatLay(4, { width: 300, height: 400 })
    const turns = await turnsOf(makeLargeJpeg(picture, 6112, 8160))
    const pixelsPerRow = (6112 * 8160) / 1020
    expect(turns.flatMap((turn) => callsOf(turn, 'read_row'))).toHaveLength(1021)
    expect(most(turns, (turn) => callsOf(turn, 'read_row').length) * pixelsPerRow).toBeLessThan(
      4_000_000 + 2 * pixelsPerRow,
    )
    expect(most(turns, bytesOf)).toBeLessThan(1_700_000)
  })

  it.each([
    ['16 bits', 6, 16, false],
    ['16 bits, interlaced', 6, 16, true],
    ['1 bit, interlaced', 0, 1, true],
  ] as const)('a PNG of %s is decoded for about a megapixel', async (_, colourType, depth, interlaced) => {
    const png = await makePlainPng({ width: 2500, height: 1200, colourType, depth, interlaced })
    const turns = await turnsOf(png)
    const rowPixels: number[] = []
    let passWidth = 0
    const bitsPerPixel = depth * (colourType === 6 ? 4 : 1)
    for (const turn of turns) {
      let pixels = 0
      for (const [name, bytesPerRow] of turn) {
        if (name === 'begin_pass') passWidth = Math.floor(((bytesPerRow ?? 0) * 8) / bitsPerPixel)
        if (name === 'read_row') pixels += passWidth
      }
      rowPixels.push(pixels)
    }
    expect(rowPixels.reduce((sum, pixels) => sum + pixels, 0)).toBeGreaterThanOrEqual(2500 * 1200)
    expect(Math.max(...rowPixels)).toBeLessThan(1_020_000)
    expect(turns.length).toBeGreaterThanOrEqual(3)
  })

  it('a PNG that hardly compresses is read for about 1.5 MB', async () => {
    const random = createRandom(1)
    const png = await makePlainPng({
      width: 1200,
      height: 1000,
      colourType: 2,
      depth: 8,
      interlaced: false,
      fill: (row) => row.forEach((_, index) => (row[index] = Math.floor(random.next() * 256))),
    })
    expect(png.length).toBeGreaterThan(3_500_000)
    const turns = await turnsOf(png)
    expect(most(turns, bytesOf)).toBeLessThan(1_600_000)
    expect(turns.length).toBeGreaterThanOrEqual(3)
  })

  it.each([
    // Six steps a byte, and one a pixel.
    ['lossy', false, 6, 1],
    ['lossless', true, 0, 8],
  ] as const)('a %s WebP is decoded for five million steps', async (_, isLossless, stepsPerByte, stepsPerPixel) => {
    const edge = 1000
    const random = createRandom(2)
    const data = Uint8ClampedArray.from({ length: edge * edge * 4 }, (_value, at) =>
      at % 4 === 3 ? 255 : Math.floor(random.next() * 256),
    )
    const webp = await encodeWebp({ width: edge, height: edge, data }, isLossless)
    const turns = await turnsOf(webp)
    for (const turn of turns) expect(callsOf(turn, 'decode').length).toBeLessThanOrEqual(1)
    const budgets = turns.flatMap((turn) => callsOf(turn, 'decode').map(([, work]) => work ?? 0))
    expect(Math.max(...budgets)).toBeLessThanOrEqual(5_000_000)
    // The codec itself counts what it does. Nine tenths of a lossy file are what it counts.
    const steps = edge * edge * stepsPerPixel + webp.length * 0.9 * stepsPerByte
    expect(steps).toBeGreaterThan(5_000_000)
    expect(budgets.length).toBeGreaterThanOrEqual(Math.ceil(steps / 5_000_000))
  })
})
