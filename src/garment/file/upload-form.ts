import { createMiddleware } from 'hono/factory'
import { z } from '@hono/zod-openapi'
import { invalidBody } from '../../http/common-errors.ts'
import { ok } from '../../http/envelope.ts'
import { readMultipart } from '../../http/multipart.ts'
import type { AppEnv } from '../../http/router.ts'
import { findNearMisses, nearMissSentence } from '../../http/validation/near-misses.ts'
import { toProblems } from '../../http/validation/to-problems.ts'
import { maxImageBytes } from '../../outbound/fetch-image.ts'
import { attributeSchema, garmentUuid } from '../fields.ts'
import { acceptFile } from './accept-file.ts'

const fieldsSchema = z.object({
  uuid: garmentUuid,
  attribute: z
    .string()
    .default('{}')
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue({ code: 'custom', message: 'must be a JSON object, such as {"Brand": "Ann"}' })
        return z.NEVER
      }
    })
    .pipe(attributeSchema),
})

/** The form as the description of the API has it. */
export const uploadForm = {
  schema: {
    type: 'object' as const,
    properties: {
      uuid: { type: 'string' as const, minLength: 1, maxLength: 128 },
      attribute: { type: 'string' as const, description: 'JSON: what is known of the garment.' },
      image: { type: 'string' as const, format: 'binary', description: 'The file, last, at most 20 MiB.' },
    },
    required: ['uuid', 'image'],
  },
  example: { uuid: '12345', attribute: '{"Brand":"Ann"}', image: 'the file' },
}

/** Handles an upload as a form with a file in place of `image_url`; leaves any other to the next handler. */
export const formUpload = createMiddleware<AppEnv>(async (c, next) => {
  if (!/^multipart\/form-data\s*(;|$)/i.test(c.req.header('content-type') ?? '')) return await next()
  const { fields, file } = await readMultipart(c.req.raw, maxImageBytes)
  const parsed = fieldsSchema.safeParse(fields)
  const problems = [
    ...(parsed.success ? [] : toProblems(parsed.error)),
    ...findNearMisses(fields, Object.keys(fieldsSchema.shape)).map(nearMissSentence),
    ...(file.size === 0 ? ['image: must not be empty'] : []),
  ]
  if (!parsed.success || problems.length > 0) {
    await file.body.cancel()
    throw invalidBody(problems)
  }
  c.set('uuid', parsed.data.uuid)
  const { origin } = new URL(c.req.url)
  await acceptFile(c.env, c.var.tenantId, { ...parsed.data, file, origin }, Date.now())
  return ok(c, {})
})
