import { expect, test } from 'vitest'
import { createYieldAfter, yieldToEventLoop } from '../../../src/platform/limits/yield-to-event-loop.ts'

const yieldAfter = createYieldAfter()

test.each([
  ['a picture', yieldToEventLoop],
  ['a loop over input', async () => await yieldAfter(1_000_000)],
] as const)('where %s yields, others come two steps further', async (_, yieldNow) => {
  let steps = 0
  const takeSteps = (async () => {
    for (let i = 0; i < 2; i++) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      steps++
    }
  })()
  await yieldNow()
  expect(steps).toBe(2)
  await takeSteps
})
