import { waitUntil } from 'cloudflare:workers'
import type { Context } from 'hono'
import { z } from 'zod'
import { newId } from '../../db/ids.ts'
import { attributeSchema, garmentUuid } from '../../garment/fields.ts'
import { wakeImporter } from '../../import/run/wake-importer.ts'
import { maxLines } from '../../import/store/limits.ts'
import { storeFile } from '../../import/store/store-file.ts'
import { settingsOf } from '../../settings.ts'
import { readKnownAttributes } from '../attribute-fields.ts'
import { emptyFile } from '../errors/page-errors.ts'
import type { MultipartForm } from '../../http/multipart.ts'
import { parseFields } from '../form.ts'
import type { DashboardEnv } from '../viewer.ts'

const fileFields = z.object({
  import: z.string().regex(/^[0-9a-f-]{36}$/, 'must be the one of the page'),
  uuid: garmentUuid,
  attribute: attributeSchema,
  // From the script of the page, which knows how many files were chosen.
  total: z.coerce.number().int().min(0).max(maxLines).default(0),
})

interface ReceivedFile {
  readonly importId: string
  readonly line: number
  readonly uuid: string
}

/** Stores the image file of a form as a line of an import. */
export async function receiveFile(
  c: Context<DashboardEnv>,
  { fields, file }: MultipartForm,
  nowMs: number,
): Promise<ReceivedFile> {
  const tenantId = c.get('tenant').id
  if (file.size === 0) throw emptyFile()
  const {
    import: importId,
    uuid,
    attribute,
    total: expectedFiles,
  } = parseFields(fileFields, {
    import: fields['import'],
    uuid: fields['uuid']?.trim() || (fields['file_names'] === 'on' ? withoutExtension(file.name) : newId()),
    attribute: readKnownAttributes(fields),
    total: fields['total'],
  })
  const deps = { db: c.get('db'), pictures: c.env.PICTURES, settings: settingsOf(c.env) }
  const { origin } = new URL(c.req.url)
  const line = await storeFile(deps, tenantId, { importId, uuid, attribute, file, origin, expectedFiles }, nowMs)
  waitUntil(wakeImporter(c.env, tenantId))
  return { importId, line, uuid }
}

const withoutExtension = (name: string) => name.replace(/(.)\.[^.]*$/, '$1')
