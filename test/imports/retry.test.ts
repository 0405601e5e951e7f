import { expect, it } from 'vitest'
import { storeRetry } from '../../src/garments/failure.ts'
import { releaseStatement } from '../../src/garments/transitions.ts'
import { getImport } from '../../src/imports/get-import.ts'
import { toImportResponse } from '../../src/imports/import-routes.ts'
import { ImageError } from '../../src/platform/outbound/fetch-image.ts'
import { csvOf, newImporter } from './tenant-imports.ts'

it('a line whose garment waits for its next try says why and when, and no other line does', async () => {
  const { db, tenantId, store, step, garments } = await newImporter()
  const id = await store(csvOf(['tried', 'waiting']))
  await step()
  const tried = (await garments()).find(({ uuid }) => uuid === 'tried')
  if (tried === undefined) throw new Error('It was not uploaded')
  const error = new ImageError('passing', 'host_unreachable')
  const retry = storeRetry(error, { tries: 2, nextTryAt: Date.UTC(2026, 10, 21, 12) })
  await releaseStatement(db, tried, { tries: 2, dueAt: 9e12, retry })

  const { lines } = toImportResponse(await getImport(db, tenantId, id, { after: 0, limit: 10 }))
  expect(lines.map(({ uuid, status, problem }) => [uuid, status, problem])).toEqual([
    ['tried', 'tagging', ''],
    ['waiting', 'tagging', ''],
  ])
  expect(lines.map((line) => line.retry)).toEqual([
    {
      failure_code: 'host_unreachable',
      failure_reason: 'The image host could not be reached, or it broke the connection.',
      tries: 2,
      next_try_at: '2026-11-21T12:00:00.000Z',
    },
    undefined,
  ])
})
