import { describe, expect, it } from 'vitest'
import { pauseImport } from '../../src/imports/wake-importer.ts'
import { csvOf, newImporter } from './tenant-imports.ts'

describe('an import that is paused', () => {
  it('can be paused by its own tenant only', async () => {
    const [importer, other] = [await newImporter(), await newImporter()]
    const id = await importer.store(csvOf(['a']))
    const pausing = pauseImport(other, other.tenantId, { id, paused: true })
    await expect(pausing).rejects.toMatchObject({ status: 404 })
  })
})
