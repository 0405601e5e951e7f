import { describe, expect, it } from 'vitest'
import { failureCode, failureCodes, failureReason, notProcessed, storeFailure } from '../../src/garments/failure.ts'
import { ImageError } from '../../src/platform/outbound/fetch-image.ts'
import { PictureError } from '../../src/vision/picture-error.ts'

describe('a stored failure', () => {
  it.each([
    new PictureError('no_garment'),
    new PictureError('damaged', { format: 'PNG' }),
    new ImageError('permanent', 'redirect_refused', { problem: 'private_host' }),
  ])('is shown as the sentence and the code of its error: $message', (error) => {
    const stored = storeFailure(error)
    expect([failureReason(stored), failureCode(stored)]).toEqual([error.message, error.code])
    expect(stored).not.toContain(error.message)
  })

  it('says how often it was tried', () => {
    const stored = storeFailure(new ImageError('passing', 'host_timeout', { seconds: 15 }), 5)
    expect(failureReason(stored)).toBe('The image host did not deliver the image within 15 s. It was tried 5 times.')
    expect(failureCode(stored)).toBe('host_timeout')
  })

  it('that a later version stored has the code other', () => {
    expect(failureCode('{"code":"too_beautiful","params":{}}')).toBe('other')
  })

  it('is empty for a garment that has not failed', () => {
    expect([failureReason(null), failureCode(null)]).toEqual(['', ''])
  })

  it('of our own says nothing of its cause', () => {
    expect([failureReason(notProcessed), failureCode(notProcessed)]).toEqual([
      'The service could not process this image; upload it again later.',
      'not_processed',
    ])
  })
})

it('codes are words that programs can compare', () => {
  expect(failureCodes.filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([])
})
