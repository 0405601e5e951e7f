import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { mailInvitation, mailerOf, mailReset } from '../../src/accounts/mail.ts'
import { getReset } from '../../src/accounts/links.ts'
import { accountDatabase } from '../../src/platform/db/databases.ts'
import { parseSettings } from '../../src/settings.ts'
import { minuteMs } from '../../src/time.ts'
import { bindings, fillThrottle, newMember, newMerchant, newTenant, password, raw } from '../service.ts'
import { sessionOf } from '../dashboard/session-of.ts'

const origin = { Origin: 'http://service.test' }
const db = accountDatabase(bindings)

interface Sent {
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
}

/** Bindings of a deployed service with Cloudflare's Email Service, and what it was asked to send. */
function withEmail(send: (mail: Sent) => unknown = () => ({ messageId: '1' })) {
  const sent: Sent[] = []
  const EMAIL = {
    send: async (mail: Sent) => {
      sent.push(mail)
      return await Promise.resolve(send(mail))
    },
  }
  const values = { EMAIL, EMAIL_FROM: 'hello@tags.example', PUBLIC_URL: 'https://tags.example' }
  const env = { ...bindings, ...values, ALLOW_LOCAL_TARGETS: 'false' } as Env
  return { env, sent }
}

/** Posts a form and waits for what it has started. */
async function post(env: Env, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const context = createExecutionContext()
  const request = new Request(`http://service.test${path}`, {
    method: 'POST',
    headers: { ...origin, ...headers },
    body: new URLSearchParams(fields),
  })
  const response = await app.fetch(request, env, context)
  await waitOnExecutionContext(context)
  return response
}

/** Asks for a reset from an address of its own, so that tests do not share its limits. */
const askForReset = async (env: Env, email: string) =>
  await post(env, '/dashboard/recover/email', { reset_email: email }, { 'cf-connecting-ip': crypto.randomUUID() })

const tokenIn = (text: string) => /token=([\w-]+)/.exec(text)?.[1] ?? ''

describe('a mailed link for a new password', () => {
  it('goes to the member, works once and ends all sessions', async () => {
    const owner = await newMerchant()
    const session = await sessionOf(owner.id)
    const { env, sent } = withEmail()
    const asked = await askForReset(env, owner.email.toUpperCase())
    expect([asked.status, asked.headers.get('location')]).toEqual([303, '/dashboard/recover?done=mailed'])
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({ to: owner.email, from: 'hello@tags.example', subject: 'Set a new password' })
    const text = sent[0]?.text ?? ''
    expect(text).toContain('https://tags.example/dashboard/reset?token=')
    const token = tokenIn(text)
    expect(await getReset(db, token, Date.now() + 3_590_000)).toMatchObject({ email: owner.email })
    await expect(getReset(db, token, Date.now() + 3_600_000)).rejects.toMatchObject({ code: 'link_not_valid' })
    const fields = { token, password: 'another long password' }
    expect((await post(env, '/dashboard/reset', fields)).status).toBe(303)
    expect((await raw('GET', '/dashboard', session)).status).toBe(303)
    expect((await post(env, '/dashboard/reset', fields)).status).toBe(404)
  })

  it('is recorded as a change by somebody who was not signed in', async () => {
    const owner = await newMerchant()
    const { env, sent } = withEmail()
    await askForReset(env, owner.email)
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    const log = await (await raw('GET', '/dashboard/audit', await sessionOf(owner.id))).text()
    expect(log).toContain('Somebody who was not signed in')
    expect(log).toContain('Created a link to reset a password')
  })

  it('gives the same answer for an unknown email, without a mail', async () => {
    const { env, sent } = withEmail()
    const known = await askForReset(env, (await newMerchant()).email)
    const unknown = await askForReset(env, `${crypto.randomUUID()}@example.com`)
    const seen = (response: Response) => [response.status, response.headers.get('location')]
    expect(seen(unknown)).toEqual(seen(known))
    await vi.waitFor(() => expect(sent).toHaveLength(1))
  })

  it('is answered before the member is looked for', async () => {
    const { env } = withEmail()
    const broken = { ...env, DB: undefined } as unknown as Env
    const mailer = mailerOf(broken, 'http://service.test/')
    const request = { email: `${crypto.randomUUID()}@example.com`, address: crypto.randomUUID() }
    expect(mailer).not.toBe(null)
    if (mailer !== null) await mailReset(broken, mailer, request, Date.now())
  })

  it('is mailed three times an hour to one address, whether it has an account or not', async () => {
    const { env, sent } = withEmail()
    for (const email of [(await newMerchant()).email, `${crypto.randomUUID()}@example.com`]) {
      const statuses = []
      for (let i = 0; i < 4; i++) statuses.push((await askForReset(env, email)).status)
      expect(statuses).toEqual([303, 303, 303, 429])
    }
    await vi.waitFor(() => expect(sent).toHaveLength(3))
  })

  it('counts as a wrong guess of its address', async () => {
    const { env } = withEmail()
    const address = crypto.randomUUID()
    const ask = async () => {
      const fields = { reset_email: `${crypto.randomUUID()}@example.com` }
      return (await post(env, '/dashboard/recover/email', fields, { 'cf-connecting-ip': address })).status
    }
    await fillThrottle(`sign-ins-of:${address}`, 98, 10 * minuteMs)
    expect([await ask(), await ask(), await ask()]).toEqual([303, 303, 429])
  })

  it('ends when the member changes the email, which somebody else may read', async () => {
    const owner = await newMerchant()
    const { env, sent } = withEmail()
    await askForReset(env, owner.email)
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    const fields = { name: 'Ann', email: `${crypto.randomUUID()}@example.com`, current: password }
    const changed = await post(env, '/dashboard/account/details', fields, await sessionOf(owner.id))
    expect(changed.headers.get('location')).toBe('/dashboard/account?done=details')
    await expect(getReset(db, tokenIn(sent[0]?.text ?? ''), Date.now())).rejects.toMatchObject({
      code: 'link_not_valid',
    })
  })

  it('is not offered without an Email Service, only recovery codes and the operator', async () => {
    const env = { ...bindings, ALLOW_LOCAL_TARGETS: 'false' }
    expect(mailerOf(env, 'http://service.test/')).toBe(null)
    const get = async (path: string) => await app.fetch(new Request(`http://service.test${path}`), env)
    const page = await (await get('/dashboard/recover')).text()
    expect([page.includes('reset_email'), page.includes('Recovery code'), page.includes('operator')]).toEqual([
      false,
      true,
      true,
    ])
    expect((await askForReset(env, 'ann@example.com')).status).toBe(404)
  })

  it('is printed by a local run', async () => {
    const owner = await newMerchant()
    const printed: string[] = []
    const spy = vi.spyOn(console, 'info').mockImplementation((text: string) => void printed.push(text))
    try {
      await askForReset(bindings, owner.email)
      await vi.waitFor(() => expect(printed.join('\n')).toContain(`Mail to ${owner.email}: Set a new password`))
    } finally {
      spy.mockRestore()
    }
    expect(printed.join('\n')).toContain('http://service.test/dashboard/reset?token=')
  })
})

describe('a mailed invitation', () => {
  it('contains the link that the page shows', async () => {
    const { merchant } = await newTenant()
    const { env, sent } = withEmail()
    const fields = { email: 'bob@example.com', role: 'editor' }
    const page = await (await post(env, '/dashboard/team/invite', fields, await sessionOf(merchant.id))).text()
    expect(page).toContain('The link was sent to bob@example.com.')
    expect(sent).toMatchObject([{ to: 'bob@example.com', subject: 'Join Shop at Garment Tagging' }])
    const [link = ''] = /https:\/\/tags\.example\/dashboard\/join\?token=[\w-]+/.exec(sent[0]?.text ?? '') ?? []
    expect(link).not.toBe('')
    expect(page).toContain(link)
    const team = await (await raw('GET', '/dashboard/team', await sessionOf(merchant.id))).text()
    expect(team).toContain('bob@example.com')
  })

  it('is only shown if no email is given, and if the mail fails', async () => {
    const { merchant } = await newTenant()
    const session = await sessionOf(merchant.id)
    const working = withEmail()
    const shown = await post(working.env, '/dashboard/team/invite', { role: 'editor' }, session)
    expect(await shown.text()).toContain('https://tags.example/dashboard/join?token=')
    expect(working.sent).toEqual([])
    const broken = withEmail(() => {
      throw new Error('E_DELIVERY_FAILED')
    })
    const spy = vi.spyOn(console, 'error').mockImplementation(() => {})
    const page = await post(broken.env, '/dashboard/team/invite', { email: 'eve@example.com', role: 'editor' }, session)
    spy.mockRestore()
    expect(await page.text()).toContain('could not be sent to eve@example.com')
  })

  it('is refused with a bad email and after three mails to an address, before an invitation is stored', async () => {
    const { merchant } = await newTenant()
    const session = await sessionOf(merchant.id)
    const { env, sent } = withEmail()
    const invite = async (email: string) =>
      await post(env, '/dashboard/team/invite', { email, label: 'Bob', role: 'editor' }, session)
    const bad = await invite('bob')
    expect([bad.status, await bad.text()]).toEqual([400, expect.stringContaining('Must be an email address')])
    const email = `${crypto.randomUUID()}@example.com`
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push((await invite(email)).status)
    expect([statuses, sent.length]).toEqual([[200, 200, 200, 429], 3])
    const team = await (await raw('GET', '/dashboard/team', session)).text()
    expect(team.split('the invitation for Bob')).toHaveLength(4)
  })

  it('of a shop whose name contains a link contains no second link', async () => {
    const { env, sent } = withEmail()
    const mailer = mailerOf(env, 'http://service.test/')
    const invitation = { email: 'bob@example.com', shop: 'Win at https://evil.example/now', token: 'x' }
    if (mailer !== null) await mailInvitation(mailer, invitation)
    expect(sent[0]?.text.match(/https?:|\w\.\w/g)).toEqual(['https:', 's.e'])
  })
})

it('an Email Service without a sender or a public URL stops the start', () => {
  const secrets = { JWT_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: btoa('x'.repeat(32)) }
  expect(() => parseSettings({ ...secrets, EMAIL: {} })).toThrow(/EMAIL_FROM is missing.*PUBLIC_URL is missing/)
})

it('a member of the team gets links too', async () => {
  const { merchant } = await newTenant()
  const bob = await newMember(merchant.id, 'reviewer')
  const { env, sent } = withEmail()
  await askForReset(env, bob.email)
  await vi.waitFor(() => expect(sent).toMatchObject([{ to: bob.email }]))
})
