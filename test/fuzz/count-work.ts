import { expectThat } from './target.ts'

type Functions = Record<string, (...values: number[]) => number>

/** Limits on a decoder's work between two turns of the event loop. */
const mostBytes = 1_700_000
const mostSteps = 5_000_000
const mostPixels = 4_500_000

const { Instance } = WebAssembly
const { setTimeout: startTimer } = globalThis

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Decodes a picture of this size and counts its codec's work between two turns: bytes, rows, and steps that the codec
 * counts itself. Rows of interlaced pictures have fewer pixels than the width, so pixels are computed from the share of
 * all rows, unless the picture is cut off.
 */
export async function withCountedTurns<T>({ width, height }: Size, decode: () => Promise<T>): Promise<T> {
  let turn = { bytes: 0, rows: 0, calls: 0, budget: 0 }
  const turns = [turn]
  const counted = (functions: Functions, count: (name: string, values: number[], result: number) => void): Functions =>
    Object.fromEntries(
      Object.entries(functions).map(([name, call]) => [
        name,
        typeof call === 'function'
          ? (...values: number[]) => {
              const result = call(...values)
              count(name, values, result)
              return result
            }
          : call,
      ]),
    )
  const countCall = (name: string, [first = 0]: number[], result: number) => {
    if (name === 'read') turn.bytes += result
    if (name === 'read_row') turn.rows++
    if (name === 'decode') {
      turn.calls++
      turn.budget = Math.max(turn.budget, first)
    }
  }
  WebAssembly.Instance = function (module: WebAssembly.Module, { env, host }: Record<string, Functions>) {
    const instance = new Instance(module, { env: env ?? {}, host: counted(host ?? {}, countCall) })
    return { exports: counted(instance.exports as Functions, countCall) }
  } as never
  globalThis.setTimeout = ((callback: () => void, ms: number) => {
    turns.push((turn = { bytes: 0, rows: 0, calls: 0, budget: 0 }))
    return startTimer(callback, ms)
  }) as never
  try {
    return await decode()
  } finally {
    WebAssembly.Instance = Instance
    globalThis.setTimeout = startTimer
    const allRows = turns.reduce((sum, { rows }) => sum + rows, 0)
    for (const { bytes, rows, calls, budget } of turns) {
      expectThat(bytes <= mostBytes, `reads at most ${mostBytes} bytes in a turn, not ${bytes}`)
      expectThat(calls <= 1 && budget <= mostSteps, `does at most ${mostSteps} steps in a turn`)
      // A row may have the length of either edge, because pictures are rotated.
      const pixels = Math.min((rows / Math.max(allRows, 1)) * width * height, rows * Math.max(width, height))
      expectThat(pixels <= mostPixels, `decodes at most ${mostPixels} pixels in a turn`)
    }
  }
}
