import { expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { getGarment, toGarmentResponse } from '../../src/garments/garment.ts'
import { retagStatement } from '../../src/garments/transitions.ts'
import { ImageError } from '../../src/platform/outbound/fetch-image.ts'
import { bindings } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { db, failsWith, newScene } from './scene.ts'

const hostIsDown = failsWith(new ImageError('passing', 'host_status', { status: 503 }))
const hostIsSlow = failsWith(new ImageError('passing', 'host_timeout', { seconds: 15 }))

const newAnswer = async () => {
  const scene = await newScene()
  const answer = async () => toGarmentResponse(await getGarment(db, scene.tenantId, 'g'), undefined)
  return { scene, answer }
}

it('a garment that waits for its next try says why, how often it was tried and when it is tried again', async () => {
  const { scene, answer } = await newAnswer()
  expect(await answer()).not.toHaveProperty('retry')
  await scene.tag(hostIsDown)
  expect(await answer()).toMatchObject({
    status: 'queuing',
    failure_reason: '',
    failure_code: '',
    retry: {
      failure_code: 'host_status',
      failure_reason: 'The image host answered with HTTP 503.',
      tries: 1,
      next_try_at: '2026-11-21T12:00:05.000Z',
    },
  })
  scene.clock.now += 5000
  await scene.tag(hostIsSlow)
  expect((await answer()).retry).toEqual({
    failure_code: 'host_timeout',
    failure_reason: 'The image host did not deliver the image within 15 s.',
    tries: 2,
    next_try_at: '2026-11-21T12:00:25.000Z',
  })
})

it('a fault of ours is shown as a try without its cause', async () => {
  const { scene, answer } = await newAnswer()
  await scene.tag({ tagPicture: () => Promise.reject(new Error('secret detail')) })
  expect((await answer()).retry).toEqual({
    failure_code: 'not_processed',
    failure_reason: 'The service could not process this image.',
    tries: 1,
    next_try_at: '2026-11-21T12:00:05.000Z',
  })
})

it('nothing of a failed try is left once the garment is complete, has failed, or was uploaded again', async () => {
  const { scene, answer } = await newAnswer()
  await scene.tag(hostIsDown)
  await scene.tag()
  expect(await answer()).toMatchObject({ status: 'complete', failure_reason: '', failure_code: '' })
  expect(await answer()).not.toHaveProperty('retry')

  const failing = await newAnswer()
  for (let i = 0; i < 5; i++) await failing.scene.tag(hostIsDown)
  expect(await failing.answer()).toMatchObject({ status: 'failed', failure_code: 'host_status' })
  expect(await failing.answer()).not.toHaveProperty('retry')
  await failing.scene.upload()
  expect(await failing.answer()).toMatchObject({ status: 'queuing', failure_code: '' })
  expect(await failing.answer()).not.toHaveProperty('retry')
})

it('a complete garment that cannot be tagged again keeps its result and its picture, and shows no try', async () => {
  const { scene, answer } = await newAnswer()
  await scene.tag()
  const complete = await answer()
  await retagStatement(db, [await getGarment(db, scene.tenantId, 'g')], scene.clock.now)
  expect(await scene.tag(hostIsDown)).toEqual({ retry: true, delaySeconds: 5 })
  expect(await answer()).toEqual(complete)
})

it('a failed try writes the row of the garment and one entry of an index', async () => {
  const { scene } = await newAnswer()
  const { DB, counts } = countDatabase(bindings.DB)
  await scene.tag({ ...hostIsDown, db: openDatabase(DB) })
  expect([counts.rowsWritten, (await scene.garment()).tries]).toEqual([2, 1])
})
