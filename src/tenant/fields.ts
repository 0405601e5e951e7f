import { z } from '@hono/zod-openapi'
import { normalizeDomain } from './domain.ts'

const maxDescriptionLength = 2000
const maxSettings = 20

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return !/^[+-]/.test(zone)
  } catch {
    return false
  }
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

export const settingsSchema = z
  .object({
    timezone: z.string().max(64).refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin').default('UTC'),
    currency: z
      .string()
      .refine((code) => currencies.has(code), 'must be an ISO 4217 code such as EUR')
      .default('USD'),
  })
  .catchall(z.string('must be a string').max(1000, 'must be at most 1,000 characters'))
  .refine((all) => Object.keys(all).length <= maxSettings, `must have at most ${maxSettings} keys`)
  // Not the type of the values: generators of clients refuse known keys that can be absent beside it.
  .openapi({ additionalProperties: true })

export const newTenantSchema = z.object({
  name: z.string().trim().min(1).max(200),
  domain: z.string().transform((text, context) => {
    const domain = normalizeDomain(text)
    if (domain !== null) return domain
    context.addIssue({
      code: 'custom',
      message: "must be 1 to 253 letters, digits, '.', '_' and '-', with a letter or digit first and last",
    })
    return z.NEVER
  }),
  description: z.string().max(maxDescriptionLength, `must be at most ${maxDescriptionLength} characters`).default(''),
  settings: settingsSchema.default({ timezone: 'UTC', currency: 'USD' }),
})

export const tenantSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    domain: z.string(),
    description: z.string(),
    merchant_id: z.string(),
    created_at: z.string(),
  })
  .openapi('Tenant')
