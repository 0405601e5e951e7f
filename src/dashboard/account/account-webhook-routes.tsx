import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { accountDatabase } from '../../platform/db/databases.ts'
import { accountWebhookRequest } from '../../webhooks/account-fields.ts'
import {
  deleteAccountWebhook,
  findAccountWebhook,
  putAccountWebhook,
  renewAccountSecret,
} from '../../webhooks/account-webhook.ts'
import { listAccountDeliveries } from '../../webhooks/list-account-deliveries.ts'
import { accountWebhookDeps, testAccountWebhook } from '../../webhooks/test-account-webhook.ts'
import { formBody, parseFields, problemsOf, readForm, submit } from '../form.ts'
import type { FormState } from '../parts/fields.tsx'
import { render } from '../parts/layout.tsx'
import type { DashboardEnv } from '../viewer.ts'
import { accountWebhookPath as path } from '../paths.ts'
import { AccountWebhookPage, type AccountWebhookPageProps } from './account-webhook-page.tsx'

type PageContext = Context<DashboardEnv>

const notices: Readonly<Record<string, string>> = { saved: 'Saved.', deleted: 'The account webhook was deleted.' }

interface Shown extends Partial<Pick<AccountWebhookPageProps, 'notice' | 'secret' | 'test'>> {
  readonly form?: FormState
  readonly status?: ContentfulStatusCode
}

const deps = (c: PageContext) => accountWebhookDeps(c.env, c.req.url)

async function renderWebhook(c: PageContext, { form, status = 200, ...shown }: Shown = {}) {
  const { id, clock } = c.get('viewer')
  const db = accountDatabase(c.env)
  const [row, deliveries] = await Promise.all([findAccountWebhook(db, id), listAccountDeliveries(db, id)])
  const stored = { url: row?.url ?? '', ...(row === null || row.enabled ? { enabled: 'on' } : {}) }
  const page = <AccountWebhookPage form={form ?? { values: stored }} {...{ row, deliveries, clock }} {...shown} />
  return await render(c, { title: 'Account webhook', section: '/dashboard/account', status }, page)
}

/** The webhook of the account; for owners. */
export const accountWebhookPages = new Hono<DashboardEnv>()

accountWebhookPages.get(path, async (c) => await renderWebhook(c, { notice: notices[c.req.query('done') ?? ''] }))

accountWebhookPages.post(path, formBody, async (c) => {
  const values = await readForm(c)
  const { id, actor } = c.get('viewer')
  const result = await submit(c, async () => {
    const given = { url: (values['url'] ?? '').trim(), enabled: values['enabled'] === 'on' }
    return await putAccountWebhook(deps(c), id, parseFields(accountWebhookRequest, given), Date.now(), actor)
  })
  if (!result.ok) {
    const form = { values, problems: problemsOf(result.failure, ['url', 'enabled']) }
    return await renderWebhook(c, { form, status: result.failure.status })
  }
  // A secret is shown once, in the response itself.
  return result.value === null
    ? c.redirect(`${path}?done=saved`, 303)
    : await renderWebhook(c, { notice: notices['saved'], secret: result.value })
})

accountWebhookPages.post(`${path}/secret`, formBody, async (c) => {
  const { id, actor } = c.get('viewer')
  const result = await submit(c, async () => await renewAccountSecret(deps(c), id, Date.now(), actor))
  return result.ok
    ? await renderWebhook(c, { notice: 'The secret was renewed.', secret: result.value })
    : await renderProblem(c, result.failure)
})

accountWebhookPages.post(`${path}/test`, formBody, async (c) => {
  const result = await submit(c, async () => await testAccountWebhook(c.env, c.get('viewer').id, c.req.url))
  return result.ok ? await renderWebhook(c, { test: result.value }) : await renderProblem(c, result.failure)
})

accountWebhookPages.post(`${path}/delete`, formBody, async (c) => {
  const { id, actor } = c.get('viewer')
  await deleteAccountWebhook(deps(c), id, Date.now(), actor)
  return c.redirect(`${path}?done=deleted`, 303)
})

const renderProblem = async (c: PageContext, failure: Parameters<typeof problemsOf>[0]) =>
  await renderWebhook(c, { form: { values: {}, problems: problemsOf(failure, []) }, status: failure.status })
