import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { fixedRowBytes } from '../../src/platform/db/count-rows.ts'
import * as schema from '../../src/platform/db/schema.ts'

/** Why the rows of a table that no quota counts cannot fill a database. */
const bounded: Readonly<Record<string, string>> = {
  api_keys: 'at most 20 for each tenant',
  daily_counts: 'five for each tenant and day',
  databases: 'one for each database',
  dead_letters: 'one for each queue',
  ended_sessions: 'one for each sign-in with its slow hash, removed after 12 hours',
  export_defaults: 'one for each tenant',
  hidden_pictures: 'at most six for each picture of a garment in the bin, which is counted',
  invitations: 'at most 50 members and invitations for each account',
  last_exports: 'one for each tenant and format, with a bounded list',
  members: 'at most 50 members and invitations for each account',
  merchants: 'created within the sign-up limits',
  password_resets: 'one for each member',
  pauses: 'written by the operator',
  range_redeliveries: 'one for each tenant',
  recovery_codes: 'ten for each owner',
  reserved_numbers: 'a bounded number for each tenant',
  retags: 'written by the operator',
  review_counts: 'one for each tenant and week',
  studios: 'at most 100 for each tenant',
  tenant_counters: 'one for each tenant',
  tenant_purges: 'one for each deleted tenant, at most 10 a day for each account',
  tenant_state: 'one for each tenant',
  tenants: 'one for each account',
  unreferenced_files: 'one for each stored file, which is counted',
  unused_copies: 'one for each tagging of a picture, removed within a day',
  waiting_events: 'one for each change of an API key, removed by the next sweep',
  webhook_endpoints: 'at most 21 for each tenant',
}

/** Its rows are garments, counted while they are in the bin too. */
const likeGarments = 'binned_garments'

it('every table is either counted against the byte quota or bounded for a reason', () => {
  const tables = Object.values<unknown>(schema).flatMap((table) =>
    is(table, SQLiteTable) ? [getTableName(table)] : [],
  )
  const counted = [...Object.keys(fixedRowBytes), likeGarments]
  expect(tables.filter((name) => !counted.includes(name)).sort()).toEqual(Object.keys(bounded).sort())
  expect(counted.filter((name) => !tables.includes(name))).toEqual([])
})
