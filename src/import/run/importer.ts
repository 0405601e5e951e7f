import { DurableObject } from 'cloudflare:workers'
import { log } from '../../log.ts'
import { continueImports } from './continue-imports.ts'

const pauseAfterErrorMs = 10_000

/**
 * Runs the steps of one tenant's imports one after the other, so that a large import delays no other tenant. It holds
 * no state of the imports; if its alarm is lost, the sweep wakes it again.
 */
export class Importer extends DurableObject<Env> {
  async wake(tenantId: string): Promise<void> {
    // An alarm does not know the name of its object.
    this.ctx.storage.kv.put('tenantId', tenantId)
    await this.ctx.storage.setAlarm(Date.now())
  }

  override async alarm(): Promise<void> {
    const tenantId = this.ctx.storage.kv.get<string>('tenantId')
    if (tenantId === undefined) return
    const pauseMs = await this.#step(tenantId)
    // It may have been woken meanwhile, for an import that the step has not seen.
    const isWoken = (await this.ctx.storage.getAlarm()) !== null
    if (pauseMs !== null && !isWoken) await this.ctx.storage.setAlarm(Date.now() + pauseMs)
    else if (!isWoken) await this.ctx.storage.deleteAll()
  }

  async #step(tenantId: string): Promise<number | null> {
    try {
      return await continueImports(this.env, tenantId, Date.now())
    } catch (error) {
      log('error', 'import step failed', { tenant: tenantId, error })
      return pauseAfterErrorMs
    }
  }
}
