import { DurableObject } from 'cloudflare:workers'
import { openDatabase } from '../db/client.ts'
import { settingsOf } from '../settings.ts'
import { findTenantKeys, type TenantKeys } from '../api-key/find-tenant-keys.ts'
import { admit, windowMs } from '../rate-limit/sliding-window.ts'

/** Bounds how long a key outlives its row, should the service die between deleting the row and telling the gate. */
const keysMaxAgeMs = 10 * 60_000

export type Entry =
  | { readonly outcome: 'unauthorized' }
  | { readonly outcome: 'limited'; readonly limit: number; readonly retryAfterMs: number }
  | {
      readonly outcome: 'admitted'
      readonly tenantId: string
      readonly limit: number
      readonly remaining: number
      readonly resetMs: number
    }

interface KnownKeys extends TenantKeys {
  readonly readAt: number
}

/**
 * The gate of one domain. It knows the tenant's live keys and keeps the exact sliding window, so that a request costs
 * one call. All state is in storage and survives eviction; domains that have no tenant leave nothing behind.
 */
export class Gate extends DurableObject<Env> {
  /** Counts calls of `forget`, so that keys read before one are not kept after it. */
  #forgotten = 0

  async enter(domain: string, keyHash: string): Promise<Entry> {
    const known = await this.#keys(domain)
    const keyId = known?.keyIds[keyHash]
    if (known === null || keyId === undefined) return { outcome: 'unauthorized' }
    const now = Date.now()
    const limit = settingsOf(this.env).RATE_LIMIT_PER_MINUTE
    const decision = admit(this.#admitted(), now, limit, windowMs)
    this.ctx.storage.kv.put('admitted', decision.admitted)
    if (!decision.ok) return { outcome: 'limited', limit, retryAfterMs: decision.retryAfterMs }
    this.ctx.storage.kv.put(`used:${keyId}`, now)
    const { remaining, resetMs } = decision
    return { outcome: 'admitted', tenantId: known.tenantId, limit, remaining, resetMs }
  }

  /** Reads the keys anew at the next request. Called after every change of a tenant or its keys. */
  forget(): void {
    this.#forgotten++
    this.ctx.storage.kv.delete('keys')
  }

  /** When each of these keys was last admitted, ms since epoch. */
  lastUsed(keyIds: readonly string[]): Record<string, number> {
    const times = keyIds.map((id) => [id, this.ctx.storage.kv.get<number>(`used:${id}`)] as const)
    return Object.fromEntries(times.filter((time): time is readonly [string, number] => time[1] !== undefined))
  }

  /** The requests admitted in the last minute, oldest first, ms since epoch, and the limit they count against. */
  usage(): { admitted: number[]; limit: number } {
    const since = Date.now() - windowMs
    return {
      admitted: this.#admitted().filter((at) => at > since),
      limit: settingsOf(this.env).RATE_LIMIT_PER_MINUTE,
    }
  }

  #admitted(): number[] {
    return this.ctx.storage.kv.get<number[]>('admitted') ?? []
  }

  async #keys(domain: string): Promise<TenantKeys | null> {
    const known = this.ctx.storage.kv.get<KnownKeys>('keys')
    if (known !== undefined && known.readAt > Date.now() - keysMaxAgeMs) return known
    const forgotten = this.#forgotten
    const read = await findTenantKeys(openDatabase(this.env.DB), domain)
    if (forgotten !== this.#forgotten) return await this.#keys(domain)
    if (read === null) this.ctx.storage.kv.delete('keys')
    else this.ctx.storage.kv.put<KnownKeys>('keys', { ...read, readAt: Date.now() })
    return read
  }
}
