import { z } from '@hono/zod-openapi'
import { emailSchema } from '../merchant/fields.ts'

const tenantId = z.string().min(1).max(64).optional()

/** Without a tenant it applies to all of them. */
export const pauseRequest = z.object({
  tagging: z.boolean().optional(),
  deliveries: z.boolean().optional(),
  tenant: tenantId,
})

export const pauseSchema = z.object({ tenant: z.string().nullable(), tagging: z.boolean(), deliveries: z.boolean() })

/** Whose password is to be reset. */
export const passwordResetRequest = z.object({ email: emailSchema })

export const passwordResetSchema = z.object({ url: z.string(), expires_at: z.string() })

export const retagRequest = z
  .object({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }), tenant: tenantId })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), 'from must be before to')
