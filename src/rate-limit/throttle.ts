import { DurableObject } from 'cloudflare:workers'
import { admit } from './sliding-window.ts'

/** A sliding window for callers who are not signed in yet, one object a client address or e-mail. */
export class Throttle extends DurableObject<Env> {
  /** Null if admitted, else the time to wait in milliseconds. */
  async enter(limit: number, windowMs: number): Promise<number | null> {
    const decision = admit(this.ctx.storage.kv.get<number[]>('admitted') ?? [], Date.now(), limit, windowMs)
    this.ctx.storage.kv.put('admitted', decision.admitted)
    // Addresses are many and mostly come once: an object that was quiet for a window removes itself.
    await this.ctx.storage.setAlarm(Date.now() + windowMs)
    return decision.ok ? null : decision.retryAfterMs
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
