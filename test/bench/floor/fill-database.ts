import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'

/** The tenant whose requests are measured. */
export interface Caller {
  readonly domain: string
  readonly apiKey: string
}

/** Applies all migrations to an empty database and stores the callers' tenants and keys. */
export async function fillDatabase(database: D1Database, callers: readonly Caller[]): Promise<void> {
  for (const path of globSync('migrations/*.sql').sort()) {
    const statements = readFileSync(path, 'utf8').split('--> statement-breakpoint')
    await database.batch(statements.map((sql) => database.prepare(sql)))
  }
  const run = async (sql: string, ...values: string[]) =>
    await database
      .prepare(sql)
      .bind(...values)
      .run()
  for (const { domain, apiKey } of callers) {
    const hash = createHash('sha256').update(apiKey).digest('hex')
    await run("INSERT INTO merchants (id, company, created_at) VALUES (?1, '', 0)", domain)
    await run('INSERT INTO tenant_state (tenant_id, domain, created_at) VALUES (?1, ?1, 0)', domain)
    await run(
      `INSERT INTO tenants (id, merchant_id, domain, name, description, settings, created_at)
        VALUES (?1, ?1, ?1, '', '', '{}', 0)`,
      domain,
    )
    await run(
      "INSERT INTO api_keys (id, tenant_id, name, prefix, hash, created_at) VALUES (?1, ?1, '', '', ?2, 0)",
      domain,
      hash,
    )
  }
}
