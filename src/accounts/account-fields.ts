import { z } from '@hono/zod-openapi'
import { emailKeyOf } from './email.ts'
import { type members, roles } from '../platform/db/schema.ts'

const maxEmailLength = 254
const emailTooLong = `must be at most ${maxEmailLength} characters`
const noEmail = 'must be an email address'

export const emailSchema = z
  .string()
  .trim()
  .max(maxEmailLength, emailTooLong)
  .refine((email) => emailKeyOf(email) !== null, noEmail)

/**
 * Limits a password that is compared. Allows more than 128 characters, so that a long password is wrong rather than
 * invalid.
 */
const givenPassword = z.string().max(1000, 'must be at most 1,000 characters')

const newPassword = z.string().min(8, 'must have at least 8 characters').max(128, 'must have at most 128 characters')

export const emailFormSchema = z.object({ email: emailSchema })

export const credentialsSchema = z.object({ email: emailSchema, password: givenPassword })

const maxNameLength = 200

export const newMerchantSchema = z.object({
  email: emailSchema,
  password: newPassword,
  name: z.string().trim().min(1).max(maxNameLength),
  company: z.string().trim().max(maxNameLength, `must be at most ${maxNameLength} characters`).default(''),
  sign_up_code: z
    .string()
    .max(200, 'must be at most 200 characters')
    .optional()
    .openapi({ description: "The operator's code, if the service requires one." }),
})

export type NewMerchant = z.infer<typeof newMerchantSchema>

export const detailsSchema = newMerchantSchema.pick({ name: true, email: true }).extend({ password: givenPassword })

export const passwordChangeSchema = z.object({ password: givenPassword, new_password: newPassword })

export const merchantSchema = z.object({ id: z.string(), email: z.string(), name: z.string() }).openapi('Merchant')

export const signedInSchema = z.object({ token: z.string(), user: merchantSchema })

/** Returns the user of a response. Its `id` is the merchant's id, for every member. */
export const toMerchantResponse = ({
  merchantId,
  email,
  name,
}: Pick<typeof members.$inferSelect, 'merchantId' | 'email' | 'name'>) => ({ id: merchantId, email, name })

export const roleSchema = z.object({ role: z.enum(roles, 'must be owner, editor or reviewer') })

export const invitationSchema = roleSchema.extend({
  label: z.string().trim().max(200, 'must be at most 200 characters').default(''),
})

const isEmptyOrEmail = (email: string) => email === '' || emailKeyOf(email) !== null

export const mailedInvitationSchema = invitationSchema.extend({
  email: z.string().trim().max(maxEmailLength, emailTooLong).refine(isEmptyOrEmail, noEmail).default(''),
})

export const newMemberSchema = newMerchantSchema.omit({ company: true })

export type NewMember = z.infer<typeof newMemberSchema>

export const newPasswordSchema = newMerchantSchema.pick({ password: true })
