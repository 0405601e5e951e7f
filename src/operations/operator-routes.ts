import { createRoute, z } from '@hono/zod-openapi'
import { createMiddleware } from 'hono/factory'
import { dateOrTime } from '../platform/http/validation.ts'
import { emailSchema } from '../accounts/account-fields.ts'
import { invalidBody, notFound, notOperator } from '../platform/http/errors.ts'
import { type AppEnv, byOperator, createRouter } from '../platform/http/router.ts'
import { settingsOf } from '../settings.ts'
import { operator } from '../accounts/audit.ts'
import { accountDatabase, listDatabases } from '../platform/db/databases.ts'
import { jsonBody, jsonRequest } from '../platform/http/body.ts'
import { messageSchema, ok, responses } from '../platform/http/envelope.ts'
import { linkTo, startReset } from '../accounts/links.ts'
import { everyTenant } from '../platform/queue/is-paused.ts'
import { putPause } from './pauses.ts'
import { toIso } from '../time.ts'
import { getStatus, statusSchema } from './status.ts'
import { startRetag } from './retag.ts'
import { repeatDeletions } from './repeat-deletions.ts'
import { putTenantLimits, tenantLimitsRequest, tenantLimitsSchema, unknownTenant } from './tenant-limits.ts'

const tenantId = z.string().min(1).max(64).optional()

/** Applies to all tenants if `tenant` is absent. */
export const pauseRequest = z.object({
  tagging: z.boolean().optional(),
  deliveries: z.boolean().optional(),
  tenant: tenantId,
})

export const pauseSchema = z.object({ tenant: z.string().nullable(), tagging: z.boolean(), deliveries: z.boolean() })

const passwordResetRequest = z.object({ email: emailSchema })

export const passwordResetSchema = z.object({ url: z.string(), expires_at: z.string() })

export const retagRequest = z
  .object({ from: dateOrTime, to: dateOrTime, tenant: tenantId })
  .refine(({ from, to }) => from < to, 'from must be before to')

export const repeatDeletionsRequest = z.object({
  database: z.int().min(1).openapi({ description: 'Number of the restored database: 1 is DB, 2 is DB2.' }),
  from: dateOrTime.openapi({ description: 'The moment to which it was restored.' }),
  cursor: z.string().max(500).optional().openapi({ description: '`next_cursor` of the previous call.' }),
})

export const repeatedDeletionsSchema = z.object({
  count: z.int().openapi({ description: 'Number of recorded deletions that this call has processed.' }),
  next_cursor: z.string().nullable().openapi({ description: 'Null after the last deletion.' }),
})

const digest = async (text: string) => await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))

/** Admits the operator. Without OPERATOR_TOKEN, these paths answer 404 for any token. */
const requireOperator = createMiddleware<AppEnv>(async (c, next) => {
  const { OPERATOR_TOKEN } = settingsOf(c.env)
  if (OPERATOR_TOKEN === undefined) throw notFound()
  const token = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  // Compares digests, because a comparison in constant time needs equal lengths.
  if (!crypto.subtle.timingSafeEqual(await digest(token), await digest(OPERATOR_TOKEN))) throw notOperator()
  await next()
})

const forOperator = { security: byOperator, middleware: [requireOperator] as [typeof requireOperator] }
const forOperatorJson = {
  security: byOperator,
  middleware: [requireOperator, jsonBody] as [typeof requireOperator, typeof jsonBody],
}

const retagStarted = 'The garments of this range are being tagged again: 100 a minute at first, then more.'

const idle = {
  waiting: 0,
  oldest_age_seconds: 0,
  failed_last_hour: 0,
  dead_letters: 0,
  last_dead_letter_at: null,
  paused: false,
  paused_tenants: [],
}

const statusRoute = createRoute({
  method: 'get',
  path: '/status',
  operationId: 'getStatus',
  summary: 'Get the state of the service',
  description:
    'Returns counts and ages of waiting work, failures, dead letters, the size and last sweep of each database, and ' +
    'pauses.',
  ...forOperator,
  responses: responses(statusSchema, {
    tagging: idle,
    deliveries: idle,
    database_bytes: 1_048_576,
    databases: [
      {
        number: 1,
        responds: true,
        bytes: 1_048_576,
        share: 0.0001,
        takes_tenants: true,
        last_sweep: { at: '2026-11-21T12:00:00.000Z', failed_parts: [] },
      },
    ],
    last_sweep: { at: '2026-11-21T12:00:00.000Z', failed_parts: [] },
    disabled_webhooks: [],
  }),
})

const pauseRoute = createRoute({
  method: 'put',
  path: '/operator/pause',
  operationId: 'pause',
  summary: 'Pause or resume tagging and deliveries',
  description: 'Applies to one tenant, or to all without `tenant`. Absent fields stay as they are.',
  ...forOperatorJson,
  request: { body: jsonRequest(pauseRequest, { tagging: true }) },
  responses: responses(pauseSchema, { tenant: null, tagging: true, deliveries: false }),
})

const retagRoute = createRoute({
  method: 'post',
  path: '/operator/retag',
  operationId: 'retag',
  summary: 'Tag complete garments again',
  description:
    'Tags garments again that were uploaded from `from` to `to`, of one tenant or of all. It starts with 100 per minute ' +
    'and speeds up. No webhook is sent, except `tagging.corrected` for garments whose item type a person has corrected.',
  ...forOperatorJson,
  request: { body: jsonRequest(retagRequest, { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }) },
  responses: responses(messageSchema, { message: retagStarted }),
})

const repeatDeletionsRoute = createRoute({
  method: 'post',
  path: '/operator/repeat-deletions',
  operationId: 'repeatDeletions',
  summary: 'Repeat deletions after a database was restored',
  description:
    'After a database was restored, deletes everything again that was deleted between the restored moment and the ' +
    'restore: accounts, tenants, API keys and garments. Repeat the call with `next_cursor` as `cursor` until it is null.',
  ...forOperatorJson,
  request: { body: jsonRequest(repeatDeletionsRequest, { database: 2, from: '2026-11-21T12:00:00Z' }) },
  responses: responses(repeatedDeletionsSchema, { count: 12, next_cursor: null }, []),
})

const tenantLimitsRoute = createRoute({
  method: 'put',
  path: '/operator/tenant',
  operationId: 'putTenantLimits',
  summary: "Change one tenant's limits",
  description:
    "Sets the tenant's rate limit and quotas, which replace the service-wide settings at once. Absent limits stay as they " +
    "are, and null restores the service-wide setting. The account's audit log records the change.",
  ...forOperatorJson,
  request: {
    body: jsonRequest(tenantLimitsRequest, {
      tenant: '001kqzrwmhtbxydn',
      rate_limit_per_minute: 60,
      max_garments: null,
    }),
  },
  responses: responses(
    tenantLimitsSchema,
    {
      tenant: '001kqzrwmhtbxydn',
      rate_limit_per_minute: 60,
      max_garments: null,
      max_import_lines: null,
      max_row_megabytes: 2000,
      max_files: null,
      max_file_megabytes: null,
    },
    [unknownTenant()],
  ),
})

const passwordResetRoute = createRoute({
  method: 'post',
  path: '/operator/password-reset',
  operationId: 'resetPassword',
  summary: 'Make a link for a new password',
  description:
    'For members who forgot their password, in any account. Send them the link. It works once, within an hour, replaces ' +
    'an earlier link, and ends all sessions and access tokens of the member.',
  ...forOperatorJson,
  request: { body: jsonRequest(passwordResetRequest, { email: 'ann@example.com' }) },
  responses: responses(
    passwordResetSchema,
    { url: 'https://tags.example/dashboard/reset?token=nN3…', expires_at: '2026-11-21T13:00:00.000Z' },
    ['member_not_found'],
  ),
})

export const operatorRoutes = createRouter()
  .openapi(statusRoute, async (c) => ok(c, await getStatus(c.env, Date.now())))
  .openapi(pauseRoute, async (c) => {
    const { tenantId: id, tagging, deliveries } = await putPause(c.env, c.req.valid('json'), Date.now())
    return ok(c, { tenant: id === everyTenant ? null : id, tagging, deliveries })
  })
  .openapi(retagRoute, async (c) => {
    const { from, to, tenant } = c.req.valid('json')
    await startRetag(c.env, { fromMs: from, toMs: to, tenant })
    return ok(c, { message: retagStarted })
  })
  .openapi(repeatDeletionsRoute, async (c) => {
    const { database, from, cursor } = c.req.valid('json')
    if (!listDatabases(c.env).includes(database)) throw invalidBody(['database: there is no database of this number'])
    const { count, nextCursor } = await repeatDeletions(c.env, { database, fromMs: from, cursor }, Date.now())
    return ok(c, { count, next_cursor: nextCursor })
  })
  .openapi(tenantLimitsRoute, async (c) => ok(c, await putTenantLimits(c.env, c.req.valid('json'), Date.now())))
  .openapi(passwordResetRoute, async (c) => {
    const { token, expiresAt } = await startReset(accountDatabase(c.env), c.req.valid('json'), Date.now(), operator)
    const url = linkTo('reset', token, settingsOf(c.env).PUBLIC_URL ?? new URL(c.req.url).origin)
    return ok(c, { url, expires_at: toIso(expiresAt) })
  })
