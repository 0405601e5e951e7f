import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { settingsOf } from '../../settings.ts'
import { configRequest } from '../../webhook/config/config-request.ts'
import { findConfigRow } from '../../webhook/config/config-row.ts'
import { encryptionKeysOf } from '../../webhook/config/encrypt.ts'
import { readConfig } from '../../webhook/config/get-config.ts'
import { newSecret } from '../../webhook/config/new-secret.ts'
import { putEvents } from '../../webhook/config/put-events.ts'
import { invalidConfig } from '../../webhook/errors.ts'
import { putConfig } from '../../webhook/put-config.ts'
import { callDeps, targetPolicy } from '../../webhook/request/deps.ts'
import { sendTestEvent } from '../../webhook/request/send-test-event.ts'
import { submit, formBody, parseFields, readForm, type FormValues } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { parseLines, toLines } from '../lines.ts'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import type { DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { WebhookPage, type WebhookPageProps } from './webhook-page.tsx'

const section = '/dashboard/webhook'
const needsTenant = withTenant(section, 'Webhook', 'Create a tenant to send results to your system.')
const fields = ['url', 'secret', 'headers', 'enabled']

/** The one API problem whose specified wording names no field. */
const aliases = { 'URL is required': 'url' }

export const webhookPages = new Hono<DashboardEnv>()

async function renderWebhook(c: Context<DashboardEnv>, props: WebhookPageProps, status: ContentfulStatusCode = 200) {
  return await render(c, { title: 'Webhook', section, status }, <WebhookPage {...props} />)
}

async function storedValues(c: Context<DashboardEnv>) {
  const keys = encryptionKeysOf(settingsOf(c.env))
  const row = await findConfigRow(c.get('db'), c.get('tenant').id)
  const config = await readConfig(row, keys)
  const { enabled, url, secret, headers, disabled_reason: disabledReason = '' } = config
  const values: FormValues = { url, secret, headers: toLines(headers), ...(enabled ? { enabled: 'on' } : {}) }
  return { values, disabledReason, canTest: url !== '', sendsCorrections: row?.sendsCorrections ?? false }
}

webhookPages.get(section, needsTenant, async (c) => {
  const { values, ...stored } = await storedValues(c)
  return await renderWebhook(c, { form: { values }, ...stored, isSaved: c.req.query('done') === 'saved' })
})

webhookPages.post(section, formBody, needsTenant, async (c) => {
  const values = await readForm(c)
  // A second submit button of the form: works without scripts and keeps the entered values.
  if (values['intent'] === 'secret')
    return await renderWebhook(c, { form: { values: { ...values, secret: newSecret() } } })
  const result = await submit(c, async () => {
    const headers = parseLines(values['headers'] ?? '', 'headers')
    if (headers.problems.length > 0) throw invalidConfig(headers.problems)
    const { url = '', secret = '' } = values
    const config = parseFields(configRequest, {
      enabled: values['enabled'] === 'on',
      url: url.trim(),
      secret: secret.trim(),
      headers: headers.values,
    })
    const settings = settingsOf(c.env)
    const policy = targetPolicy(settings, new URL(c.req.url).origin)
    const deps = { db: c.get('db'), keys: encryptionKeysOf(settings), policy }
    await putConfig(deps, c.get('tenant').id, config, Date.now(), c.get('viewer').actor)
  })
  if (result.ok) return c.redirect(`${section}?done=saved`, 303)
  const problems = problemsOf(result.failure, fields, aliases)
  return await renderWebhook(c, { form: { values, problems } }, result.failure.status)
})

webhookPages.post(`${section}/events`, formBody, needsTenant, async (c) => {
  const { corrected } = await readForm(c)
  const keys = encryptionKeysOf(settingsOf(c.env))
  const events = { corrected: corrected === 'on' }
  await putEvents(c.get('db'), keys, c.get('tenant').id, events, Date.now(), c.get('viewer').actor)
  return c.redirect(`${section}?done=saved`, 303)
})

webhookPages.post(`${section}/test`, formBody, needsTenant, async (c) => {
  const settings = settingsOf(c.env)
  const call = callDeps(settings, new URL(c.req.url).origin)
  const deps = { ...call, db: c.get('db'), keys: encryptionKeysOf(settings) }
  const result = await submit(c, async () => {
    await limitWrites(c.env, c.get('tenant').id)
    return await sendTestEvent(deps, c.get('tenant').id)
  })
  const { values, ...stored } = await storedValues(c)
  if (result.ok) return await renderWebhook(c, { form: { values }, ...stored, test: result.value })
  const problems = problemsOf(result.failure, [])
  return await renderWebhook(c, { form: { values, problems }, ...stored }, result.failure.status)
})
