import { sql } from 'drizzle-orm'
import { openDatabase } from '../db/client.ts'
import { log } from '../log.ts'

/** The platform's limit, at which every write fails. */
const maxBytes = 10_000_000_000
const alarmShare = 0.8

/** Logs an error while the database is above 80 % of its largest size. */
export async function watchSize(env: Pick<Env, 'DB'>, alarmBytes = maxBytes * alarmShare): Promise<void> {
  const { meta } = await openDatabase(env.DB).run(sql`SELECT 1`)
  if (meta.size_after > alarmBytes)
    log('error', 'database nearly full', {
      bytes: meta.size_after,
      max_bytes: maxBytes,
      remedy: 'lower RETENTION_DAYS',
    })
}
