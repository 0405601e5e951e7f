import { log } from '../../log.ts'
import { locationOf } from '../../settings.ts'

/** Continues a tenant's imports now. A failure is only logged, because the sweep does this again. */
export async function wakeImporter(env: Pick<Env, 'IMPORTER'>, tenantId: string): Promise<void> {
  try {
    await env.IMPORTER.getByName(tenantId, locationOf(env)).wake(tenantId)
  } catch (error) {
    log('warn', 'importer not woken', { tenant: tenantId, error })
  }
}
