import { eq } from 'drizzle-orm'
import { DurableObject } from 'cloudflare:workers'
import type { Database } from '../platform/db/database.ts'
import { apiKeys, tenants } from '../platform/db/schema.ts'
import { accountDatabase } from '../platform/db/databases.ts'
import { log } from '../log.ts'
import { admit } from '../platform/limits/throttle-object.ts'
import { settingsOf } from '../settings.ts'
import { dayMs, minuteMs } from '../time.ts'

export interface TenantKeys {
  readonly tenantId: string
  readonly merchantId: string
  /** Hex SHA-256 of each live key to the key's id. */
  readonly keyIds: Readonly<Record<string, string>>
}

/** The tenant of a domain and its live keys; null if no tenant has the domain. */
async function findTenantKeys(db: Database, domain: string): Promise<TenantKeys | null> {
  const rows = await db
    .select({ tenantId: tenants.id, merchantId: tenants.merchantId, keyId: apiKeys.id, hash: apiKeys.hash })
    .from(tenants)
    .leftJoin(apiKeys, eq(apiKeys.tenantId, tenants.id))
    .where(eq(tenants.domain, domain))
  const [first] = rows
  if (first === undefined) return null
  const keyIds = rows.flatMap(({ hash, keyId }) => (hash !== null && keyId !== null ? [[hash, keyId]] : []))
  return { tenantId: first.tenantId, merchantId: first.merchantId, keyIds: Object.fromEntries(keyIds) }
}

/**
 * Bounds how long a key outlives its row if the service crashes after deleting the row and before notifying the gate.
 */
const keysMaxAgeMs = 10 * minuteMs

/**
 * How long known keys stay valid while the accounts cannot be read. A key cannot be revoked either then; this bounds
 * how long one outlives its row after a crash.
 */
const keysMaxAgeInOutageMs = dayMs

/** The pause before the accounts are asked again after they could not be read. */
const outagePauseMs = 10_000

/** How long the object remembers, in memory only, that its domain has no tenant. */
const absenceMs = 10_000

/** How long after its announcement a new key is looked up in the database. */
const expectKeyMs = minuteMs

export type Entry =
  | { readonly outcome: 'unauthorized' }
  | { readonly outcome: 'limited'; readonly limit: number; readonly retryAfterMs: number }
  | {
      readonly outcome: 'admitted'
      readonly tenantId: string
      readonly keyId: string
      readonly limit: number
      readonly remaining: number
      readonly resetMs: number
    }

interface KnownKeys extends TenantKeys {
  readonly readAt: number
}

/** By the hash of a key that is being created, the time until which its row may be missing in the database. */
type ExpectedKeys = Readonly<Record<string, number>>

/** The requests of a domain, as long as it stays with one merchant. */
interface Activity {
  readonly merchantId: string
  /** The requests of the last minute, oldest first, ms since epoch. */
  readonly admitted: readonly number[]
  /** By key id, when it was last used, ms since epoch. */
  readonly lastUsed: Readonly<Record<string, number>>
}

/**
 * The gate of one domain. It knows the tenant's live keys and keeps the exact sliding window, so that a request costs
 * one call and one write. Its state is in storage and survives eviction; a domain that has no tenant stores nothing.
 */
export class Gate extends DurableObject<Env> {
  #keys = this.ctx.storage.kv.get<KnownKeys>('keys')
  #activity = this.ctx.storage.kv.get<Activity>('activity')
  #expected = this.ctx.storage.kv.get<ExpectedKeys>('expected') ?? {}
  #absentUntil = 0
  /** The accounts could not be read lately; they are asked again after it. */
  #outageUntil = 0
  /** Counts the changes that were announced, so that keys read before one are not kept after it. */
  #changes = 0

  async enter(domain: string, keyHash: string): Promise<Entry> {
    const keys = await this.#keysFor(domain, keyHash)
    const keyId = keys?.keyIds[keyHash]
    if (keys === null || keyId === undefined) return { outcome: 'unauthorized' }
    const nowMs = Date.now()
    const limit = settingsOf(this.env).RATE_LIMIT_PER_MINUTE
    const { merchantId } = keys
    // A domain that went to another merchant starts with an empty window.
    const { admitted, lastUsed } =
      this.#activity?.merchantId === merchantId ? this.#activity : { admitted: [], lastUsed: {} }
    const decision = admit(admitted, nowMs, limit, minuteMs)
    if (!decision.ok) return { outcome: 'limited', limit, retryAfterMs: decision.retryAfterMs }
    // Without revoked keys, of which a merchant can create any number.
    const liveIds = new Set(Object.values(keys.keyIds))
    const ofLive = Object.fromEntries(Object.entries(lastUsed).filter(([id]) => liveIds.has(id)))
    this.#activity = { merchantId, admitted: decision.admitted, lastUsed: { ...ofLive, [keyId]: nowMs } }
    this.ctx.storage.kv.put<Activity>('activity', this.#activity)
    const { remaining, resetMs } = decision
    return { outcome: 'admitted', tenantId: keys.tenantId, keyId, limit, remaining, resetMs }
  }

  /** Reads the keys again at the next request. Called after a key was revoked or the tenant was deleted. */
  forget(): void {
    this.#changes++
    this.#absentUntil = 0
    this.#dropKeys()
  }

  /** Announces a key whose row is being stored: for a minute, a request with it reads the keys again. */
  expectKey(keyHash: string): void {
    const nowMs = Date.now()
    const others = Object.entries(this.#expected).filter(([, until]) => until > nowMs)
    this.#expected = { ...Object.fromEntries(others), [keyHash]: nowMs + expectKeyMs }
    this.ctx.storage.kv.put<ExpectedKeys>('expected', this.#expected)
  }

  /** By key id, when it was last admitted, ms since epoch. */
  lastUsed(): Readonly<Record<string, number>> {
    return this.#activity?.lastUsed ?? {}
  }

  /** The requests admitted in the last minute, oldest first, ms since epoch, and the limit they count against. */
  usage(): { admitted: number[]; limit: number } {
    const since = Date.now() - minuteMs
    const admitted = this.#activity?.admitted.filter((at) => at > since) ?? []
    return { admitted, limit: settingsOf(this.env).RATE_LIMIT_PER_MINUTE }
  }

  async #keysFor(domain: string, keyHash: string): Promise<TenantKeys | null> {
    const nowMs = Date.now()
    const isExpected = (this.#expected[keyHash] ?? 0) > nowMs
    const known = this.#keys
    const maxAgeMs = nowMs < this.#outageUntil ? keysMaxAgeInOutageMs : keysMaxAgeMs
    if (known !== undefined && known.readAt > nowMs - maxAgeMs && (keyHash in known.keyIds || !isExpected)) return known
    if (nowMs < this.#absentUntil && !isExpected) return null
    const changes = this.#changes
    let read: TenantKeys | null
    try {
      read = await findTenantKeys(accountDatabase(this.env), domain)
    } catch (error) {
      return this.#knownInOutage(keyHash, error)
    }
    if (changes !== this.#changes) return await this.#keysFor(domain, keyHash)
    if (read === null) this.#forgetDomain()
    else this.#remember({ ...read, readAt: Date.now() })
    return read
  }

  /** A known key stays valid while the accounts cannot be read. */
  #knownInOutage(keyHash: string, error: unknown): TenantKeys {
    const nowMs = Date.now()
    const known = this.#keys
    if (known === undefined || !(keyHash in known.keyIds) || known.readAt <= nowMs - keysMaxAgeInOutageMs) throw error
    this.#outageUntil = nowMs + outagePauseMs
    log('error', 'keys not read', { error })
    return known
  }

  #remember(keys: KnownKeys): void {
    this.#keys = keys
    this.ctx.storage.kv.put<KnownKeys>('keys', keys)
  }

  /** Removes everything stored for a domain without a tenant, except a window that still counts. */
  #forgetDomain(): void {
    this.#absentUntil = Date.now() + absenceMs
    this.#dropKeys()
    const newest = this.#activity?.admitted.at(-1) ?? 0
    if (this.#activity === undefined || newest > Date.now() - minuteMs) return
    this.#activity = undefined
    this.ctx.storage.kv.delete('activity')
  }

  /** Deletes only what exists, because even a deletion creates a table in an empty object. */
  #dropKeys(): void {
    if (this.#keys === undefined) return
    this.#keys = undefined
    this.ctx.storage.kv.delete('keys')
  }
}
