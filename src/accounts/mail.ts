import { waitUntil } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { log } from '../log.ts'
import { accountDatabase } from '../platform/db/databases.ts'
import { members } from '../platform/db/schema.ts'
import { throttleOf, tooManyAttempts } from '../platform/limits/throttle.ts'
import { settingsOf } from '../settings.ts'
import { dayMs, hourMs } from '../time.ts'
import { visitor } from './audit.ts'
import { emailKeyOf } from './email.ts'
import { invitationDays, linkTo, startReset } from './links.ts'
import { limitGuessing } from './password.ts'

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /** Where links lead. */
  readonly baseUrl: string
  readonly send: (mail: Mail) => Promise<void>
}

/**
 * Returns the way to send mail, or null if the operator has bound no Email Service. A local run without the service
 * prints mail instead. Only there, links may use the origin of the request, because a client chooses that origin.
 */
export function mailerOf(env: object, requestUrl: string): Mailer | null {
  const { EMAIL, EMAIL_FROM: from, PUBLIC_URL, ALLOW_LOCAL_TARGETS } = settingsOf(env)
  if (EMAIL !== undefined && from !== undefined && PUBLIC_URL !== undefined)
    return { baseUrl: PUBLIC_URL, send: async (mail) => void (await EMAIL.send({ from, ...mail })) }
  if (!ALLOW_LOCAL_TARGETS) return null
  const print = async ({ to, subject, text }: Mail) => {
    // oxlint-disable-next-line no-console -- The mail is for the person at the terminal. It is no log line.
    console.info(`Mail to ${to}: ${subject}\n\n${text}`)
    await Promise.resolve()
  }
  return { baseUrl: PUBLIC_URL ?? new URL(requestUrl).origin, send: print }
}

const mailsPerHour = 3
const invitationMailsPerDay = 50

async function reserve(env: Pick<Env, 'THROTTLE'>, subject: string, limit: number, windowMs: number): Promise<void> {
  const waitMs = await throttleOf(env, subject).enter(limit, windowMs)
  if (waitMs !== null) throw tooManyAttempts(waitMs)
}

/** Throws 429 if an email address has received three mails in the last hour, whether it has an account or not. */
const limitMails = async (env: Pick<Env, 'THROTTLE'>, emailKey: string) =>
  await reserve(env, `mails:${emailKey}`, mailsPerHour, hourMs)

/**
 * Mails a link for a new password to the member with this email. Counts as a wrong guess. Looks for the member after
 * it has returned, so that an unknown email gets the same response in the same time.
 */
export async function mailReset(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  mailer: Mailer,
  { email, address }: { readonly email: string; readonly address: string },
  nowMs: number,
): Promise<void> {
  const emailKey = emailKeyOf(email) ?? email
  await limitGuessing(env, { emailKey, address }, async () => await Promise.resolve(null))
  await limitMails(env, emailKey)
  waitUntil(sendReset(env, mailer, emailKey, nowMs).catch((error: unknown) => log('error', 'mail failed', { error })))
}

async function sendReset(env: Pick<Env, 'DB'>, mailer: Mailer, emailKey: string, nowMs: number): Promise<void> {
  const db = accountDatabase(env)
  const [member] = await db.select().from(members).where(eq(members.emailKey, emailKey))
  if (member === undefined) return
  const { token } = await startReset(db, { merchantId: member.merchantId, memberId: member.id }, nowMs, visitor)
  await mailer.send({
    // The stored address, because several spellings have the same key.
    to: member.email,
    subject: 'Set a new password',
    text: `Somebody asked for a new password for your account at Garment Tagging.

Set it within an hour:
${linkTo('reset', token, mailer.baseUrl)}

The link works once. It signs you out everywhere.
If you did not ask for it, ignore this email. Your password stays as it is.
`,
  })
}

interface InvitationMail {
  readonly merchantId: string
  readonly email: string
}

/** Throws 429 if an invitation may not be mailed: 50 a day for an account, three mails an hour for an address. */
export async function limitInvitationMail(env: Pick<Env, 'THROTTLE'>, { merchantId, email }: InvitationMail) {
  await reserve(env, `invitation-mails:${merchantId}`, invitationMailsPerDay, dayMs)
  await limitMails(env, emailKeyOf(email) ?? email)
}

const maxNameLength = 60

/** Removes characters that a mail program could turn into a link, because anybody can choose a shop's name. */
const toPlainName = (name: string) =>
  name
    .replaceAll(/[^\p{L}\p{M}\p{N} '&-]+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)

/** Mails the link of an invitation. Returns false if it could not be mailed. */
export async function mailInvitation(
  mailer: Mailer,
  { email, shop, token }: { readonly email: string; readonly shop: string; readonly token: string },
): Promise<boolean> {
  const team = toPlainName(shop) || 'a team'
  try {
    await mailer.send({
      to: email,
      subject: `Join ${team} at Garment Tagging`,
      text: `You are invited to join ${team} at Garment Tagging.

Join within ${invitationDays} days:
${linkTo('join', token, mailer.baseUrl)}

The link works once. If you do not expect an invitation, ignore this email.
`,
    })
    return true
  } catch (error) {
    log('error', 'mail failed', { error })
    return false
  }
}
