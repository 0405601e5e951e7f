import { test } from 'vitest'
import truths from '../fixtures/labels/labels.json'
import { expectLabelsRead } from './read-fixture.ts'

test('all labels of the fixtures are read, and what is certain is right', async () => {
  await expectLabelsRead(Object.keys(truths))
})
