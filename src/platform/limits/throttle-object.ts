import { DurableObject } from 'cloudflare:workers'
import { dayMs } from '../../time.ts'

/** Admits a request unless `limit` were admitted in the last `windowMs`. `admitted` is oldest first, ms since epoch. */
export function admit(admitted: readonly number[], nowMs: number, limit: number, windowMs: number) {
  const live = admitted.filter((at) => at > nowMs - windowMs)
  const oldest = live[0]
  if (oldest !== undefined && live.length >= limit) {
    // A limit that was lowered leaves more than `limit` in the window: wait until enough of them have left it.
    const blocking = live[live.length - limit] ?? oldest
    return { ok: false, admitted: live, retryAfterMs: blocking + windowMs - nowMs } as const
  }
  const resetMs = (oldest ?? nowMs) + windowMs - nowMs
  return { ok: true, admitted: [...live, nowMs], remaining: limit - live.length - 1, resetMs } as const
}

/** A guess whose result was never reported counts as a failed one after this time. */
const pendingMs = 30_000

/** How long an address that has succeeded is recognised. */
const trustMs = 90 * dayMs

interface Window {
  readonly admitted: readonly number[]
  readonly windowMs: number
}

export type Reservation =
  | { readonly ok: true; readonly at: number; readonly isTrusted: boolean }
  | {
      readonly ok: false
      readonly retryAfterMs: number
      readonly isTrusted: boolean
      /** True while guesses are under way that may yet succeed and give their place back. */
      readonly isPending: boolean
    }

export type GuessResult = 'succeeded' | 'failed' | 'abandoned'

/** A sliding window of one subject: a client address, an email, a merchant. It removes itself when it is empty. */
export class Throttle extends DurableObject<Env> {
  /** When each guess began whose result is not known yet. */
  #pending: number[] = []

  /** Counts one request. Null if it is admitted, else the time to wait in milliseconds. */
  async enter(limit: number, windowMs: number): Promise<number | null> {
    const decision = admit(this.#admitted(), Date.now(), limit, windowMs)
    if (!decision.ok) return decision.retryAfterMs
    await this.#store(decision.admitted, windowMs)
    return null
  }

  /**
   * Takes a place for a guess before it is made, so that guesses at the same time cannot pass the limit together.
   * `reportResult` gives it back unless the guess failed.
   */
  async reserve(limit: number, windowMs: number): Promise<Reservation> {
    const nowMs = Date.now()
    const isTrusted = this.isTrusted()
    const decision = admit(this.#admitted(), nowMs, limit, windowMs)
    this.#pending = this.#pending.filter((at) => at > nowMs - pendingMs)
    if (!decision.ok)
      return { ok: false, retryAfterMs: decision.retryAfterMs, isTrusted, isPending: this.#pending.length > 0 }
    this.#pending.push(nowMs)
    await this.#store(decision.admitted, windowMs)
    return { ok: true, at: nowMs, isTrusted }
  }

  /** Whether a guess of the subject has succeeded before. */
  isTrusted(): boolean {
    return (this.ctx.storage.kv.get<number>('trustedUntil') ?? 0) > Date.now()
  }

  /** The result of the guess that took its place at `at`. With `trust`, a success is remembered. */
  async reportResult(at: number, result: GuessResult, trust: boolean): Promise<void> {
    this.#pending = without(this.#pending, at)
    if (result === 'failed') return
    const window = this.ctx.storage.kv.get<Window>('window')
    if (window !== undefined) await this.#store(without(window.admitted, at), window.windowMs)
    if (result === 'succeeded' && trust) this.ctx.storage.kv.put('trustedUntil', Date.now() + trustMs)
  }

  override async alarm(): Promise<void> {
    const nowMs = Date.now()
    const window = this.ctx.storage.kv.get<Window>('window')
    const trustedUntil = this.ctx.storage.kv.get<number>('trustedUntil') ?? 0
    const newest = window?.admitted.at(-1)
    const emptyAt = newest === undefined ? 0 : newest + (window?.windowMs ?? 0)
    const until = Math.max(emptyAt, trustedUntil)
    if (until > nowMs) await this.ctx.storage.setAlarm(until)
    else await this.ctx.storage.deleteAll()
  }

  #admitted(): readonly number[] {
    return this.ctx.storage.kv.get<Window>('window')?.admitted ?? []
  }

  async #store(admitted: readonly number[], windowMs: number): Promise<void> {
    this.ctx.storage.kv.put<Window>('window', { admitted, windowMs })
    // Addresses are many and mostly come once, so the object removes itself after a quiet window.
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + windowMs)
  }
}

/** `times` with one `at` removed. */
function without(times: readonly number[], at: number): number[] {
  const index = times.indexOf(at)
  return index === -1 ? [...times] : times.toSpliced(index, 1)
}
