import { z } from '@hono/zod-openapi'

/** Of what a tenant's id can name. */
const maxNumber = 4095
const cursor = z.string().max(2000).optional()

export const restoreRequest = z.object({ database: z.int().min(1).max(maxNumber), cursor })

/** `deleted` counts tenants, accounts and keys; `cursor` is null after the last step. */
export const restoreStepSchema = z.object({
  deleted: z.number(),
  hosted: z.number(),
  cursor: z.string().nullable(),
})

export const picturesRequest = z.object({
  database: z.coerce.number<string | number>().int().min(1).max(maxNumber),
  before: z.iso.datetime({ offset: true }),
  cursor,
})

const keys = z.array(z.string())

export const picturePageSchema = z.object({
  stored: keys,
  needed: keys,
  allowed: keys,
  cursor: z.string().nullable(),
})
