import { expect, it } from 'vitest'
import { failureCodes, failureReason } from '../../src/garments/failure.ts'
import { problemText } from '../../src/imports/import-line-problem.ts'
import { storeText } from '../../src/platform/db/stored-text.ts'

it('a line whose garment failed says what the garment says', () => {
  const params = { width: 1, height: 1, min: 2, max: 3, format: 'JPEG', formats: 'JPEG', kind: 'JPEG', megapixels: 1 }
  const stored = failureCodes
    .filter((code) => code !== 'url_refused' && code !== 'redirect_refused')
    .map((code) => storeText(code, { ...params, status: 404, seconds: 1, mebibytes: 1, encoding: 'br' }))
  expect(stored.map(problemText)).toEqual(stored.map(failureReason))
})
