import { expect } from 'vitest'
import { verifyAccountWebhook, type Client } from '../../../src/client/index.ts'
import type { HttpHost } from '../../support/http-host.ts'

/** Configures the webhook of an account, tests it and deletes it. */
export async function useAccountWebhook(owner: Client, host: HttpHost): Promise<void> {
  expect(await owner.getAccountWebhook()).toEqual({ url: '', enabled: false })
  const url = `${host.origin}/to/account`
  const { secret = '', ...stored } = await owner.putAccountWebhook({ url })
  expect(stored).toEqual({ url, enabled: true })
  const renewed = await owner.renewAccountWebhookSecret()
  expect(renewed).not.toBe(secret)
  expect(await owner.testAccountWebhook()).toMatchObject({ status: 'delivered', response_status: 200 })
  const [test] = host.received('account')
  if (test === undefined) throw new Error('The test event did not arrive.')
  // Both secrets sign for a day.
  for (const each of [secret, renewed])
    expect((await verifyAccountWebhook(test.body, test.headers, each)).event).toBe('webhook.test')
  expect(await owner.listAccountWebhookDeliveries()).toEqual([])
  await owner.deleteAccountWebhook()
  expect(await owner.getAccountWebhook()).toEqual({ url: '', enabled: false })
}
