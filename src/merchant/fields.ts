import { z } from '@hono/zod-openapi'

/** Trimmed and in lower case, which is how e-mails are stored and compared. */
const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'must be at most 254 characters')
  .pipe(z.email('must be an email address'))

export const credentialsSchema = z.strictObject({ email, password: z.string().max(1000) })

const maxNameLength = 200

export const newMerchantSchema = z.strictObject({
  email,
  password: z.string().min(8, 'must have at least 8 characters').max(128, 'must have at most 128 characters'),
  name: z.string().trim().min(1, 'must not be empty').max(maxNameLength, `must be at most ${maxNameLength} characters`),
  company: z.string().trim().max(maxNameLength, `must be at most ${maxNameLength} characters`).default(''),
})
