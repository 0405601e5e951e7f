import { DurableObject } from 'cloudflare:workers'
import { dayMs } from '../../time.ts'

/** Admits a request unless `limit` were admitted in the last `windowMs`. `admitted` is sorted, oldest first. */
export function admit(admitted: readonly number[], nowMs: number, limit: number, windowMs: number) {
  const live = admitted.filter((at) => at > nowMs - windowMs)
  const oldest = live[0]
  if (oldest !== undefined && live.length >= limit) {
    // After the limit was lowered, several requests must leave the window before the next one is admitted.
    const blocking = live[live.length - limit] ?? oldest
    return { ok: false, admitted: live, retryAfterMs: blocking + windowMs - nowMs } as const
  }
  const resetMs = (oldest ?? nowMs) + windowMs - nowMs
  return { ok: true, admitted: [...live, nowMs], remaining: limit - live.length - 1, resetMs } as const
}

/** A success is remembered for this time. */
const trustMs = 90 * dayMs

interface Window {
  readonly admitted: readonly number[]
  readonly windowMs: number
}

export type Reservation = { readonly isTrusted: boolean } & (
  { readonly ok: true; readonly at: number } | { readonly ok: false; readonly retryAfterMs: number }
)

/** The sliding window of one subject, such as a client address. Removes itself when it is empty. */
export class Throttle extends DurableObject<Env> {
  /** Counts a request. Returns null, or the time in ms to wait if it is refused. */
  async enter(limit: number, windowMs: number): Promise<number | null> {
    const place = await this.reserve(limit, windowMs)
    return place.ok ? null : place.retryAfterMs
  }

  /** Takes a place before an attempt, so that concurrent attempts cannot exceed the limit. */
  async reserve(limit: number, windowMs: number): Promise<Reservation> {
    const nowMs = Date.now()
    const isTrusted = this.isTrusted()
    const decision = admit(this.#window()?.admitted ?? [], nowMs, limit, windowMs)
    if (!decision.ok) return { ok: false, retryAfterMs: decision.retryAfterMs, isTrusted }
    await this.#store({ admitted: decision.admitted, windowMs })
    return { ok: true, at: nowMs, isTrusted }
  }

  /** Returns a place, because the attempt does not count. */
  async release(at: number): Promise<void> {
    const window = this.#window()
    if (window !== undefined) await this.#store({ ...window, admitted: without(window.admitted, at) })
  }

  /** Whether an attempt has succeeded recently. */
  isTrusted(): boolean {
    return this.#trustedUntil() > Date.now()
  }

  async trust(): Promise<void> {
    this.ctx.storage.kv.put('trustedUntil', Date.now() + trustMs)
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + trustMs)
  }

  override async alarm(): Promise<void> {
    const window = this.#window()
    const newest = window?.admitted.at(-1)
    const emptyAt = newest === undefined ? 0 : newest + (window?.windowMs ?? 0)
    const until = Math.max(emptyAt, this.#trustedUntil())
    if (until > Date.now()) await this.ctx.storage.setAlarm(until)
    else await this.ctx.storage.deleteAll()
  }

  #window() {
    return this.ctx.storage.kv.get<Window>('window')
  }

  #trustedUntil(): number {
    return this.ctx.storage.kv.get<number>('trustedUntil') ?? 0
  }

  async #store(window: Window): Promise<void> {
    this.ctx.storage.kv.put<Window>('window', window)
    // Most client addresses come once, so the object removes itself after its window.
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + window.windowMs)
  }
}

function without(times: readonly number[], at: number): number[] {
  const index = times.indexOf(at)
  return index === -1 ? [...times] : times.toSpliced(index, 1)
}
