import type { Context } from 'hono'
import type { Actor, Made } from '../audit/record-entry.ts'
import { boundText } from '../bounds/bound-text.ts'
import type { Corrector } from '../correction/rules/correction.ts'
import type { Database } from '../db/client.ts'
import { accountDatabase } from '../db/databases/find-database.ts'
import type { AppEnv } from '../http/router.ts'
import { findMerchant } from '../merchant/find-merchant.ts'
import type { Role } from '../merchant/team/roles.ts'
import type { Session } from '../merchant/token.ts'
import { settingsSchema } from '../tenant/fields.ts'
import type { TenantRow } from '../tenant/to-tenant-response.ts'
import { createClock, type Clock } from './clock.ts'

export interface Tenant {
  readonly id: string
  readonly domain: string
  readonly name: string
  readonly description: string
  readonly timezone: string
  readonly currency: string
  readonly hasKey: boolean
  readonly createdAt: number
}

/** The member who is signed in. */
export interface Viewer {
  /** Of the merchant. */
  readonly id: string
  readonly memberId: string
  readonly role: Role
  /** For the audit log. */
  readonly actor: Actor
  readonly email: string
  readonly name: string
  readonly tenant: Tenant | null
  /** In the tenant's time zone. */
  readonly clock: Clock
}

export interface DashboardEnv {
  Bindings: Env
  Variables: AppEnv['Variables'] & {
    viewer: Viewer
    sessionId: string
    /** The viewer's tenant; set by `withTenant`. */
    tenant: Tenant
    /** Of the tenant's garments, deliveries and so on; set by `withTenant`. */
    db: Database
  }
}

/** The actor and time of a change that the viewer makes now. */
export const madeBy = (c: Context<DashboardEnv>): Made => ({ by: c.get('viewer').actor, at: Date.now() })

/** The longest name that is stored with a corrected value. */
const maxNameLength = 60

/** The viewer as the author of corrections. */
export function correctorOf(c: Context<DashboardEnv>): Corrector {
  const { memberId, name } = c.get('viewer')
  return { kind: 'member', id: memberId, name: boundText(name, maxNameLength) }
}

type SessionHolder = Pick<Session, 'id' | 'memberId' | 'sessionVersion' | 'sessionId'>

/** Reads the member and the merchant's tenant in one round trip. Null if the session was ended. */
export async function findViewer(env: Env, session: SessionHolder): Promise<Viewer | null> {
  const merchant = await findMerchant(accountDatabase(env), session)
  if (merchant === null) return null
  const tenant = merchant.tenant === null ? null : toTenant(merchant.tenant, merchant.hasKey)
  const { id, memberId, role, actor, email, name } = merchant
  return { id, memberId, role, actor, email, name, tenant, clock: createClock(tenant?.timezone ?? 'UTC') }
}

function toTenant({ id, domain, name, description, settings, createdAt }: TenantRow, hasKey: boolean): Tenant {
  const { timezone, currency } = settingsSchema.parse(settings)
  return { id, domain, name, description, timezone, currency, hasKey, createdAt }
}
