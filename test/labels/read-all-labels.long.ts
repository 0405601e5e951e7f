import { expect, test } from 'vitest'
import truths from '../fixtures/labels/labels.json'
import { readLabels } from './read-fixture.ts'

test('all labels of the fixtures are read, and what is certain is right', async () => {
  const { share, mistakes, shapes } = await readLabels(Object.keys(truths))
  expect([mistakes, shapes]).toEqual([[], []])
  expect(share).toBeGreaterThan(0.8)
})
