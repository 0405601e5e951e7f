import { applyD1Migrations, runInDurableObject, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { getDatabase, listDatabases } from '../../src/platform/db/databases.ts'
import { checkStatement } from './check-statements.ts'

declare global {
  /** True once the tables exist. True once the tables exist. Test files share their runtime and its databases. */
  var isPrepared: true | undefined
  /** True if messages of the tagging queue are sent. `tagInBackground` sets it. */
  var tagsInBackground: true | undefined
}

// Thousands of lines about successful requests would hide a failing test. Warnings and errors are still shown.
console.info = () => undefined

const bindings = env as unknown as Env & { readonly TEST_MIGRATIONS: D1Migration[] }
if (globalThis.isPrepared === undefined) {
  const database = Object.getPrototypeOf(bindings.DB) as Pick<D1Database, 'prepare'>
  const { prepare } = database
  database.prepare = function (this: D1Database, query) {
    checkStatement(query)
    return prepare.call(this, query)
  }
  // Hundreds of garments have pictures that nobody serves. Trying each five times would slow down other tests.
  const queue = Object.getPrototypeOf(bindings.TAGGING_QUEUE) as Pick<Queue, 'send' | 'sendBatch'>
  const { send, sendBatch } = queue
  const isRead = (sentTo: unknown) => sentTo !== bindings.TAGGING_QUEUE || globalThis.tagsInBackground
  const unread: QueueSendResponse = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
  queue.send = async function (this: Queue, ...sent) {
    return isRead(this) ? await send.apply(this, sent) : unread
  }
  queue.sendBatch = async function (this: Queue, ...sent) {
    return isRead(this) ? await sendBatch.apply(this, sent) : unread
  }
  for (const number of listDatabases(bindings))
    await applyD1Migrations(getDatabase(bindings, number).$client, bindings.TEST_MIGRATIONS)
  // Without this, the first request would start the sweep of every minute. It uses the real clock, so it would end
  // untagged garments that tests store with other times. A sweeper that has an alarm keeps that alarm.
  for (const number of listDatabases(bindings))
    await runInDurableObject(bindings.SWEEPER.getByName(String(number)), async (_, { storage }) => {
      await storage.setAlarm(Date.UTC(2100))
    })
}
globalThis.isPrepared = true
