import { expect, test } from 'vitest'
import { yieldToEventLoop } from '../../../src/platform/limits/yield-to-event-loop.ts'
import { getNetwork, loadInTurns, readBundledWeights } from '../../../src/vision/network/get-network.ts'
import { runInTurns, workPerTurn } from '../../../src/vision/network/run-in-turns.ts'
import { classify, findLandmarks, runNetwork } from '../../../src/vision/network/run-network.ts'
import { settings } from '../../../src/vision/network/predict-picture.ts'
import { runViews } from '../../../src/vision/network/run-views.ts'
import { countTurns } from '../count-turns.ts'
import { makePixels } from './make-network.ts'

test('loading yields after each megabyte, and happens once', async () => {
  const weights = await readBundledWeights()
  expect(await countTurns(async () => await loadInTurns(weights))).toBeGreaterThanOrEqual(8)
  await getNetwork()
  expect(await countTurns(getNetwork)).toBe(1)
})

test('all looks at a picture together yield after each 900 million multiplications', async () => {
  const network = await getNetwork()
  const { pointwise, depthwise } = network.kernels
  const turns: number[] = []
  let work = 0
  const most = { step: 0 }
  const counted = (kernel: (...values: number[]) => void, workOf: (...values: number[]) => number) =>
    function count(...values: number[]) {
      const step = workOf(...values)
      work += step
      most.step = Math.max(most.step, step)
      kernel(...values)
    }
  const kernels = {
    ...network.kernels,
    pointwise: counted(pointwise, (...[, , pixels = 0, , , from = 0, to = 0]) => pixels * from * to),
    depthwise: counted(
      depthwise,
      (...[, , height = 0, width = 0, channels = 0, side = 0, stride = 1]) =>
        ((width * height) / stride ** 2) * channels * side ** 2,
    ),
  }
  const endTurn = () => {
    turns.push(work)
    work = 0
  }
  // Apart from what other pictures of the isolate do.
  const own = { ...network, kernels, use: { latest: undefined, runsAtOnce: 0, work: 0 } }
  const picture = { width: 300, height: 400, data: new Uint8ClampedArray(300 * 400 * 4).fill(90) }
  await countTurns(async () => await runViews(own, settings, picture), endTurn)
  endTurn()
  const all = turns.reduce((sum, turn) => sum + turn, 0)
  expect(all).toBeGreaterThan(2 * workPerTurn)
  expect(workPerTurn).toBeLessThanOrEqual(900_000_000)
  expect(most.step).toBeLessThan(workPerTurn / 3)
  expect(Math.max(...turns)).toBeLessThan(workPerTurn + most.step)
})

test('runs at the same time, in the same memory, give what each gives alone', async () => {
  const network = await getNetwork()
  const runs: readonly (() => Promise<unknown>)[] = [
    async () => await runNetwork(network, makePixels(2, 192), 192),
    async () => await classify(network, network.tags, makePixels(3, 192), 192),
    async () => await findLandmarks(network, makePixels(5, 288), 288),
    async () => await classify(network, network.near, makePixels(6, 128), 128),
  ]
  const alone: unknown[] = []
  for (const run of runs) alone.push(await run())
  expect(await Promise.all(runs.map(async (run) => await run()))).toEqual(alone)
})

test('pictures that are looked at together lose little work to each other', async () => {
  const use = { latest: undefined, runsAtOnce: 0, work: 0 }
  const [pictures, looks, turnsOfLook] = [5, 60, 3]
  let work = 0
  function* look() {
    for (let turn = 0; turn < turnsOfLook; turn++) {
      work++
      yield workPerTurn
    }
  }
  const runViews = async () => {
    for (let i = 0; i < looks; i++) {
      await runInTurns(use, look)
      await yieldToEventLoop()
    }
  }
  await Promise.all(Array.from({ length: pictures }, runViews))
  expect(work).toBeLessThan(1.1 * pictures * looks * turnsOfLook)
})
