import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { accountEndpoint, deliveries } from '../../src/platform/db/schema.ts'
import {
  deleteAccountWebhook,
  findAccountWebhook,
  putAccountWebhook,
  renewAccountSecret,
} from '../../src/webhooks/account-webhook.ts'
import { decryptSecrets } from '../../src/webhooks/endpoints/endpoint.ts'
import { continueEndings } from '../../src/events/transitions.ts'
import { newMerchant, someone } from '../service.ts'
import { replaceMethods } from '../support/wrap-database.ts'
import { keys, localPolicy, startMs } from './webhook-scene.ts'
import { accounts } from './scene.ts'

const deps = { db: accounts, keys, policy: localPolicy }
const webhook = { url: 'https://example.com/hooks', enabled: true }

/** The accounts, where `between` runs before the first batch. */
function interleave(between: () => Promise<unknown>) {
  let batches = 0
  const batch = async (statements: D1PreparedStatement[]) => {
    if (++batches === 1) await between()
    return await accounts.$client.batch(statements)
  }
  return { ...deps, db: openDatabase(replaceMethods(accounts.$client, { batch })) }
}

async function storedSecret(merchantId: string) {
  const row = await findAccountWebhook(accounts, merchantId)
  return row === null ? undefined : (await decryptSecrets(row, keys, startMs))[0]
}

describe('the secret of the webhook of an account', () => {
  it('that is renewed while the webhook is changed stays', async () => {
    const { id } = await newMerchant()
    await putAccountWebhook(deps, id, webhook, startMs, someone)
    const renewed: string[] = []
    const between = async () => void renewed.push(await renewAccountSecret(deps, id, startMs, someone))
    const changed = { ...webhook, enabled: false }
    expect(await putAccountWebhook(interleave(between), id, changed, startMs, someone)).toBeNull()
    expect(await storedSecret(id)).toBe(renewed[0])
    expect(await findAccountWebhook(accounts, id)).toMatchObject({ enabled: false })
  })

  it('is shown by one of two requests that configure it at the same time', async () => {
    const { id } = await newMerchant()
    const shown: (string | null)[] = []
    const put = async (with_: typeof deps) =>
      void shown.push(await putAccountWebhook(with_, id, webhook, startMs, someone))
    await put(interleave(async () => await put(deps)))
    expect(shown).toEqual([await storedSecret(id), null])
  })
})

it('the webhook of an account that is configured again while the sweep removes the former one stays', async () => {
  const { id } = await newMerchant()
  await putAccountWebhook(deps, id, webhook, startMs, someone)
  // Its attempt is being made, so the deletion leaves the row to the sweep.
  await accounts.insert(deliveries).values({
    id: crypto.randomUUID(),
    tenantId: id,
    garmentUuid: crypto.randomUUID(),
    deliveryKey: `tagging ${accountEndpoint}`,
    endpoint: accountEndpoint,
    status: 'pending',
    leaseUntil: startMs + 30_000,
    dueAt: startMs,
    createdAt: startMs,
    updatedAt: startMs,
  })
  await deleteAccountWebhook(deps, id, startMs, someone)
  const again = async () => await putAccountWebhook(deps, id, webhook, startMs, someone)
  await continueEndings(interleave(again).db, startMs)
  expect(await findAccountWebhook(accounts, id)).toMatchObject({ url: webhook.url })
})
