import { expect, test } from 'vitest'
import truths from '../fixtures/labels/labels.json'
import { readLabels, readFixture } from './read-fixture.ts'

test('labels at any angle are read, and what is certain is right', async () => {
  const { share, mistakes, shapes } = await readLabels(Object.keys(truths).filter((_, place) => place % 4 === 0))
  expect([mistakes, shapes]).toEqual([[], []])
  expect(share).toBeGreaterThan(0.8)
})

test('a size in a circle is read, but never High', async () => {
  expect((await readFixture('circled.jpg')).values.Size).toMatchObject({ value: 'L', confidence: 'Medium' })
})

test.for(['cyrillic', 'greek', 'chinese'])('lines in the %s alphabet yield nothing', async (name) => {
  expect(await readFixture(`${name}.jpg`)).toMatchObject({ hasText: true, values: {} })
})
