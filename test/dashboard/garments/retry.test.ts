import { expect, it } from 'vitest'
import { storeRetry } from '../../../src/garment/errors/retry.ts'
import { ImageError } from '../../../src/outbound/image-error.ts'
import { insertGarment } from '../../review/complete-garment.ts'
import { newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

it('the page of a garment that waits for its next try says why and when', async () => {
  const { tenantId, merchant } = await newTenant()
  // Far in the future, so that no sweep finds it.
  const waiting = {
    status: 'queuing',
    endedAt: null,
    dueAt: 9e12,
    tag: null,
    measurements: null,
    details: null,
  } as const
  const error = new ImageError('passing', 'host_timeout', { seconds: 15 })
  const failureReason = storeRetry(error, { tries: 2, nextTryAt: Date.UTC(2026, 10, 21, 12) })
  await insertGarment(tenantId, 'tried', { ...waiting, failureReason })
  await insertGarment(tenantId, 'new', waiting)

  const session = await sessionOf(merchant.id)
  const pageOf = async (uuid: string) => await (await raw('GET', `/dashboard/garment?uuid=${uuid}`, session)).text()
  const page = (await pageOf('tried')).replaceAll(/<[^>]*>/g, '')
  expect(page).toContain('The image host did not deliver the image within 15 s.')
  expect(page).toContain('It was tried 2 times. Next try: 21 Nov 2026, 12:00:00')
  expect(page).not.toContain('Most garments take less than a second.')
  expect(await pageOf('new')).toContain('Most garments take less than a second.')
})
