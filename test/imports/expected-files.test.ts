import { expect, it } from 'vitest'
import { storeFile } from '../../src/imports/store-file.ts'
import { bindings } from '../service.ts'
import { newImporter, settings } from './tenant-imports.ts'

it('an import remembers how many files were to come, the most of what was said', async () => {
  const importer = await newImporter()
  const deps = { db: importer.db, pictures: bindings.PICTURES, settings }
  const importId = crypto.randomUUID()
  for (const [i, expectedFiles] of [2, 6, 3, undefined].entries()) {
    const bytes = new Uint8Array([0xff, 0xd8, 0xff, i])
    const body = new Response(bytes).body
    if (body === null) throw new Error('no body')
    const upload = {
      importId,
      uuid: `u${i}`,
      attribute: {},
      file: { name: `${i}.jpg`, size: bytes.length, body },
      origin: 'https://s.example',
      ...(expectedFiles === undefined ? {} : { expectedFiles }),
    }
    await storeFile(deps, importer.tenantId, upload, 1000)
  }
  expect(await importer.imports()).toMatchObject([{ waiting: 4, expectedFiles: 6 }])
})
