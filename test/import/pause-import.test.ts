import { describe, expect, it } from 'vitest'
import { pauseImport } from '../../src/import/pause-import.ts'
import { continueImports } from '../../src/import/run/continue-imports.ts'
import { findStored } from '../../src/quota/find-stored.ts'
import { csvOf, newImporter, numbered } from './tenant-imports.ts'

describe('an import that is paused', () => {
  it('gives back what withdrawn garments had used of the quotas, so that it ends also near a limit', async () => {
    const importer = await newImporter()
    const { db, tenantId } = importer
    const env = { ...importer.env, MAX_GARMENTS: '3' }
    const id = await importer.store(csvOf(numbered(3)))
    const before = await findStored(db, tenantId)
    for (let time = 0; time < 2; time++) {
      await continueImports(env, tenantId, 2000)
      expect(await findStored(db, tenantId)).toMatchObject({ garments: 3 })
      await pauseImport(env, tenantId, { id, paused: true }, 2500)
      expect(await findStored(db, tenantId)).toEqual(before)
      await db.$client.prepare('UPDATE imports SET paused = 0 WHERE id = ?').bind(id).run()
    }
  })

  it('can be paused by its own tenant only', async () => {
    const [importer, other] = [await newImporter(), await newImporter()]
    const id = await importer.store(csvOf(['a']))
    const pausing = pauseImport(other.env, other.tenantId, { id, paused: true }, 2500)
    await expect(pausing).rejects.toMatchObject({ status: 404 })
  })
})
