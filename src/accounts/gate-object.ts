import { and, eq } from 'drizzle-orm'
import { DurableObject } from 'cloudflare:workers'
import { type Database, runBatch } from '../platform/db/database.ts'
import { apiKeys, tenants } from '../platform/db/schema.ts'
import { accountDatabase } from '../platform/db/databases.ts'
import { log } from '../log.ts'
import { admit } from '../platform/limits/throttle-object.ts'
import { settingsOf } from '../settings.ts'
import { dayMs, minuteMs } from '../time.ts'

export interface TenantKeys {
  readonly tenantId: string
  readonly merchantId: string
  /** Maps the SHA-256 of each live key, in hex, to the key's id. */
  readonly keyIds: Readonly<Record<string, string>>
  readonly rateLimitPerMinute: number | null
}

/** Finds a domain's tenant and live keys. Also sets `hasGate`, so that later changes of keys notify the gate. */
async function findTenantKeys(db: Database, domain: string): Promise<TenantKeys | null> {
  const isDomains = eq(tenants.domain, domain)
  const {
    tenant: [tenant],
    keys,
  } = await runBatch(db, {
    mark: db
      .update(tenants)
      .set({ hasGate: true })
      .where(and(isDomains, eq(tenants.hasGate, false))),
    tenant: db
      .select({
        tenantId: tenants.id,
        merchantId: tenants.merchantId,
        rateLimitPerMinute: tenants.rateLimitPerMinute,
      })
      .from(tenants)
      .where(isDomains),
    keys: db
      .select({ hash: apiKeys.hash, id: apiKeys.id })
      .from(apiKeys)
      .innerJoin(tenants, eq(tenants.id, apiKeys.tenantId))
      .where(isDomains),
  })
  return tenant === undefined ? null : { ...tenant, keyIds: Object.fromEntries(keys.map(({ hash, id }) => [hash, id])) }
}

/** Bounds how long a revoked key stays valid if the service crashes before it notifies the gate. */
const keysMaxAgeMs = 10 * minuteMs

/** Known keys stay valid for this time while the accounts database cannot be read. No key can be revoked then. */
const keysMaxAgeInOutageMs = dayMs

const outagePauseMs = 10_000

export type Entry =
  | { readonly outcome: 'unauthorized' }
  | { readonly outcome: 'limited'; readonly limit: number; readonly retryAfterMs: number }
  | {
      readonly outcome: 'admitted'
      readonly tenantId: string
      readonly keyId: string
      /** Database bookmark after the tenant's last change through the API. */
      readonly bookmark: string | undefined
      readonly limit: number
      readonly remaining: number
      readonly resetMs: number
    }

interface KnownKeys extends TenantKeys {
  readonly readAt: number
}

interface Bookmark {
  readonly tenantId: string
  readonly bookmark: string
}

interface Activity {
  readonly merchantId: string
  /** Times of the last minute's requests, oldest first, in ms since the epoch. */
  readonly admitted: readonly number[]
  /** Maps key ids to the time of last use, in ms since the epoch. */
  readonly lastUsed: Record<string, number>
}

/**
 * A domain's gate: its live keys and exact rate limit, so that a request costs one call and one write. The state
 * survives eviction. A domain without a tenant stores nothing.
 */
export class Gate extends DurableObject<Env> {
  #keys = this.ctx.storage.kv.get<KnownKeys>('keys')
  #activity = this.ctx.storage.kv.get<Activity>('activity')
  #bookmark = this.ctx.storage.kv.get<Bookmark>('bookmark')
  /** Time until which the accounts database is not read, because the last read failed. */
  #outageUntil = 0
  /** Counts calls of `forget`, so that keys read before such a call are discarded. */
  #changes = 0

  async enter(domain: string, keyHash: string): Promise<Entry> {
    const keys = await this.#keysFor(domain, keyHash)
    const keyId = keys?.keyIds[keyHash]
    if (keys === null || keyId === undefined) return { outcome: 'unauthorized' }
    const nowMs = Date.now()
    const limit = this.#limitOf(keys)
    const { merchantId } = keys
    // A domain that changed its merchant starts with an empty window.
    const { admitted, lastUsed } =
      this.#activity?.merchantId === merchantId ? this.#activity : { admitted: [], lastUsed: {} }
    const decision = admit(admitted, nowMs, limit, minuteMs)
    if (!decision.ok) return { outcome: 'limited', limit, retryAfterMs: decision.retryAfterMs }
    this.#activity = { merchantId, admitted: decision.admitted, lastUsed: { ...lastUsed, [keyId]: nowMs } }
    this.ctx.storage.kv.put<Activity>('activity', this.#activity)
    const { remaining, resetMs } = decision
    const { tenantId } = keys
    const bookmark = this.#bookmark?.tenantId === tenantId ? this.#bookmark.bookmark : undefined
    return { outcome: 'admitted', tenantId, keyId, bookmark, limit, remaining, resetMs }
  }

  /** Makes the next request read the keys again. Called after a change of keys and after the tenant's deletion. */
  forget(): void {
    this.#changes++
    this.#dropKeys()
  }

  keepBookmark(tenantId: string, bookmark: string): void {
    if (this.#bookmark?.tenantId === tenantId && this.#bookmark.bookmark > bookmark) return
    this.#bookmark = { tenantId, bookmark }
    this.ctx.storage.kv.put<Bookmark>('bookmark', this.#bookmark)
  }

  lastUsed(): Readonly<Record<string, number>> {
    return this.#activity?.lastUsed ?? {}
  }

  usage(): { admitted: number[]; limit: number } {
    const since = Date.now() - minuteMs
    const admitted = this.#activity?.admitted.filter((at) => at > since) ?? []
    return { admitted, limit: this.#limitOf(this.#keys) }
  }

  #limitOf(keys: TenantKeys | undefined): number {
    return keys?.rateLimitPerMinute ?? settingsOf(this.env).RATE_LIMIT_PER_MINUTE
  }

  async #keysFor(domain: string, keyHash: string): Promise<TenantKeys | null> {
    const nowMs = Date.now()
    const known = this.#keys
    const maxAgeMs = nowMs < this.#outageUntil ? keysMaxAgeInOutageMs : keysMaxAgeMs
    if (known !== undefined && known.readAt > nowMs - maxAgeMs) return known
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

  /** Returns known keys while the accounts database cannot be read. Throws `error` if this key is not known. */
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
    // Forgets the last use of revoked keys, because a merchant can create any number of keys over time.
    const live = Object.values(keys.keyIds)
    for (const id in this.#activity?.lastUsed) if (!live.includes(id)) delete this.#activity.lastUsed[id]
    this.ctx.storage.kv.put<KnownKeys>('keys', keys)
  }

  /** Removes everything stored for a domain without a tenant, except a rate limit window that still counts. */
  #forgetDomain(): void {
    this.#dropKeys()
    if (this.#bookmark !== undefined) this.ctx.storage.kv.delete('bookmark')
    this.#bookmark = undefined
    const newest = this.#activity?.admitted.at(-1) ?? 0
    if (this.#activity === undefined || newest > Date.now() - minuteMs) return
    this.#activity = undefined
    this.ctx.storage.kv.delete('activity')
  }

  /** Deletes only an existing entry, because even a deletion creates a table in an empty Durable Object. */
  #dropKeys(): void {
    if (this.#keys === undefined) return
    this.#keys = undefined
    this.ctx.storage.kv.delete('keys')
  }
}
