import { DurableObject } from 'cloudflare:workers'
import { wakeSweepers } from '../sweep/sweeper.ts'
import { minuteMs } from '../time.ts'

const periodMs = minuteMs

/** Replaces the cron trigger, which `wrangler dev` does not run. Not used in production. */
export class LocalCron extends DurableObject<Env> {
  async start(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + periodMs)
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + periodMs)
    await wakeSweepers(this.env)
  }
}
