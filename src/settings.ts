import { z } from 'zod'

/** `5,300,1800` to numbers: the pause in seconds before the second try, the third and so on. */
const delays = (count: number, standard: string) =>
  z
    .string()
    .default(standard)
    .transform((text) => text.split(',').map(Number))
    .refine(
      (all) => all.length === count && all.every((seconds) => seconds >= 0 && seconds <= 86_400),
      `must be ${count} numbers of seconds up to 86400, separated by commas`,
    )

const wholeNumber = (min: number, max: number, standard: number) =>
  z.coerce.number('must be a whole number').int().min(min).max(max).default(standard)

const quota = (standard: number) => wholeNumber(1, 1_000_000_000, standard)

/** Longer ago than any result, so that it also stands for keeping them for ever. */
export const maxRetentionDays = 36_500

const secret = (missing?: string) => z.string(missing).min(32, 'must have at least 32 characters')

/** Locations at which D1 databases, Durable Objects and storage can be created. */
const regions = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc'] as const

const separatedBy = (separator: RegExp) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(separator).filter((each) => each !== ''))

/** Values separated by spaces or commas. */
const list = separatedBy(/[\s,]+/)

const encryptionKey = /^[A-Za-z0-9+/]{43}=$/

const settingsSchema = z
  .object({
    /** Signs access tokens and dashboard sessions. */
    JWT_SECRET: secret('is missing'),
    /** Secrets that JWT_SECRET replaced: what they have signed is still accepted. A secret may contain commas. */
    JWT_SECRETS_OLD: separatedBy(/\s+/).pipe(z.array(secret()).max(5, 'must be at most 5 secrets')),
    /** AES-256 key for what we must store but be able to read: webhook secrets and headers. */
    ENCRYPTION_KEY: z.string('is missing').regex(encryptionKey, 'must be 32 bytes in base64 (openssl rand -base64 32)'),
    /** Keys that ENCRYPTION_KEY replaced, separated by spaces, until the sweep has re-encrypted everything. */
    ENCRYPTION_KEYS_OLD: list.pipe(z.array(z.string().regex(encryptionKey, 'must be former values of ENCRYPTION_KEY'))),
    RATE_LIMIT_PER_MINUTE: wholeNumber(1, 10_000, 6),
    /** Who may create an account; see `signUpOf`. */
    SIGN_UP: z.enum(['open', 'code', 'closed'], 'must be open, code or closed').optional(),
    /** The code for people who may create an account if SIGN_UP is `code`. */
    SIGN_UP_CODE: z.string().min(8, 'must have at least 8 characters').optional(),
    /** Accounts that are created from one client address; see `signUpsPerDayOf`. */
    SIGN_UPS_PER_DAY: z.coerce.number('must be a whole number').int().min(1).max(10_000).optional(),
    /** Failed sign-ins from one client address with one email. */
    SIGN_IN_LIMIT_PER_MINUTE: wholeNumber(1, 10_000, 20),
    /** The address as clients see it, for links in results; without it the origin of the upload is used. */
    PUBLIC_URL: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
    /** Sends links for new passwords and invitations. A binding rather than a variable. */
    EMAIL: z.custom<SendEmail>().optional(),
    /** The sender's address, in a domain that Cloudflare's Email Service may send from. */
    EMAIL_FROM: z.email('must be an email address').optional(),
    /** Further host names of this service, separated by spaces: it requests no webhook and no image from them. */
    OWN_HOSTS: list.pipe(
      z.array(
        z
          .string()
          .toLowerCase()
          .regex(/^[a-z0-9.-]+$/, 'must be host names without a port'),
      ),
    ),
    /** Allows images and webhooks on http and on private addresses. Only for local development. */
    ALLOW_LOCAL_TARGETS: z
      .enum(['true', 'false'], 'must be true or false')
      .default('false')
      .transform((text) => text === 'true'),
    /** Location of the database and of new Durable Objects, so that a request crosses the world only once. */
    HOME_REGION: z.enum(regions, `must be one of ${regions.join(', ')}`).optional(),
    /** Garments of one tenant that have not ended. */
    MAX_WAITING_GARMENTS: wholeNumber(1, 1_000_000, 1000),
    /**
     * What a tenant may have stored at a time. Text is what it sent of garments and lines: uuids, addresses,
     * attributes.
     */
    MAX_GARMENTS: quota(200_000),
    MAX_IMPORT_LINES: quota(200_000),
    MAX_ROW_MEGABYTES: quota(1000),
    MAX_FILES: quota(50_000),
    MAX_FILE_MEGABYTES: quota(50_000),
    /** On which day a new tenant has these quotas as a whole; see `quotaGrowthOf`. */
    QUOTA_GROWTH_DAYS: z.coerce.number('must be a whole number').int().min(1).max(365).optional(),
    /** Lets an operator see and pause the service; without it those endpoints do not exist. */
    OPERATOR_TOKEN: secret().optional(),
    /** After how many days results, attempts and pictures are removed; 0 keeps them for ever. */
    RETENTION_DAYS: wholeNumber(0, maxRetentionDays, 365),
    WEBHOOK_RETRY_DELAYS: delays(8, '5,300,1800,7200,18000,36000,50400,72000'),
    TAGGING_RETRY_DELAYS: delays(4, '5,20,60,120'),
  })
  .refine((settings) => !(settings.ALLOW_LOCAL_TARGETS && settings.PUBLIC_URL?.startsWith('https:')), {
    path: ['ALLOW_LOCAL_TARGETS'],
    error: 'must not be true where PUBLIC_URL is https, because webhooks could then reach internal addresses',
  })
  .refine(({ EMAIL, EMAIL_FROM }) => EMAIL === undefined || EMAIL_FROM !== undefined, {
    path: ['EMAIL_FROM'],
    error: 'is missing, but EMAIL is bound',
  })
  .refine(({ EMAIL, PUBLIC_URL }) => EMAIL === undefined || PUBLIC_URL !== undefined, {
    path: ['PUBLIC_URL'],
    error: 'is missing, but EMAIL is bound, and mails contain links',
  })

export type Settings = z.infer<typeof settingsSchema>

/** Returns who may create an account. Default: anyone in a local run, and elsewhere anyone with the code. */
export const signUpOf = ({ SIGN_UP, ALLOW_LOCAL_TARGETS }: Settings) =>
  SIGN_UP ?? (ALLOW_LOCAL_TARGETS ? 'open' : 'code')

/** How many accounts an address may create in 24 hours; local runs are not held up. */
export const signUpsPerDayOf = ({ SIGN_UPS_PER_DAY, ALLOW_LOCAL_TARGETS }: Settings) =>
  SIGN_UPS_PER_DAY ?? (ALLOW_LOCAL_TARGETS ? 10_000 : 20)

/** Over how many days the quotas of a new tenant grow: 1, at once, in a local run. */
export const quotaGrowthOf = ({ QUOTA_GROWTH_DAYS, ALLOW_LOCAL_TARGETS }: Settings) =>
  QUOTA_GROWTH_DAYS ?? (ALLOW_LOCAL_TARGETS ? 1 : 20)

/** Throws an `Error` whose message names every setting that is missing or bad. */
export function parseSettings(values: unknown): Settings {
  const result = settingsSchema.safeParse(values)
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)
  throw new Error(`Bad settings: ${problems.join('; ')}. docs/operations/settings.md lists all settings.`)
}

const parsed = new WeakMap<object, Settings>()

export function settingsOf(env: object): Settings {
  let settings = parsed.get(env)
  if (settings === undefined) parsed.set(env, (settings = parseSettings(env)))
  return settings
}

/** The options of a Durable Object that belongs next to the database. */
export function locationOf(env: object): DurableObjectNamespaceGetDurableObjectOptions {
  const { HOME_REGION: locationHint } = settingsOf(env)
  return locationHint === undefined ? {} : { locationHint }
}
