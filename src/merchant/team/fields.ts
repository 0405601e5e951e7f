import { z } from '@hono/zod-openapi'
import { roles } from '../../db/schema.ts'
import { newMerchantSchema } from '../fields.ts'

export const roleSchema = z.object({ role: z.enum(roles, 'must be owner, editor or reviewer') })

export const invitationSchema = roleSchema.extend({
  label: z.string().trim().max(200, 'must be at most 200 characters').default(''),
})

/** As for who registers. */
export const newMemberSchema = newMerchantSchema.omit({ company: true })

export type NewMember = z.infer<typeof newMemberSchema>

export const newPasswordSchema = newMerchantSchema.pick({ password: true })
