import { sql } from 'drizzle-orm'
import type { Actor } from '../../audit/record-entry.ts'
import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { firstEndpoint, webhookEndpoints } from '../../db/schema.ts'
import type { TargetPolicy } from '../../outbound/target.ts'
import { configProblems } from '../config/config-problems.ts'
import { findConfigRow } from '../config/config-row.ts'
import type { EncryptionKeys } from '../config/encrypt.ts'
import { replaceConfig } from '../config/replace-config.ts'
import { invalidConfig, maxEndpoints, tooManyEndpoints } from '../errors.ts'
import { expiryOf, toOptions } from './to-endpoint-response.ts'
import type { NewEndpoint } from './endpoint-request.ts'

export interface EndpointDeps {
  readonly db: Database
  readonly keys: EncryptionKeys
  readonly policy: TargetPolicy
}

/** Of a tenant's further endpoints, with those that are deleted but have deliveries that are still to be ended. */
const maxRows = 20

/**
 * Adds an endpoint and returns its id: the first one of a tenant that has none configured, otherwise a further one.
 * Throws 400 that lists every problem, and 409 for more than five or while many deleted ones still have deliveries.
 */
export async function createEndpoint(
  { db, keys, policy }: EndpointDeps,
  tenantId: string,
  endpoint: NewEndpoint,
  nowMs: number,
  by: Actor,
): Promise<string> {
  const problems = configProblems({ ...endpoint, enabled: true }, policy)
  if (problems.length > 0) throw invalidConfig(problems)
  const options = { ...toOptions(endpoint), expiresAt: expiryOf(endpoint.expires_in, nowMs) }
  const audited = { tenantId, options, action: 'endpoint.created', by } as const
  const first = await findConfigRow(db, tenantId)
  const isFree = sql`url = ''`
  if (
    (first === undefined || first.url === '') &&
    (await replaceConfig(db, keys, { ...audited, setWhere: isFree }, endpoint, nowMs))
  )
    return firstEndpoint
  const id = newId()
  const hasRoom = sql`(
    SELECT count(*) < ${maxRows} AND coalesce(sum(url <> ''), 0) < ${maxEndpoints - 1}
    FROM ${webhookEndpoints} WHERE tenant_id = ${tenantId} AND endpoint <> ${firstEndpoint}
  )`
  const isStored = await replaceConfig(db, keys, { ...audited, endpoint: id, when: hasRoom }, endpoint, nowMs)
  if (!isStored) throw tooManyEndpoints()
  return id
}
