import { expect, it } from 'vitest'
import { verifyAccountWebhook } from '../../../src/client/verify-webhook.ts'
import { newMember, raw } from '../../service.ts'
import { newAccountScene } from '../../webhooks/scene.ts'
import { receiver } from '../../webhooks/webhook-scene.ts'
import { sessionOf } from '../session-of.ts'
import { newVisitor } from './visitor.ts'

const path = '/dashboard/account/webhook'
const secretIn = (html: string) => /whsec_[\w+/=]+/.exec(html)?.[0]

it('the page of the account webhook shows its secret once, tests it, renews the secret and deletes it', async () => {
  const { merchantId, post, show } = await newVisitor()
  expect(await show('/dashboard/account')).toContain(`href="${path}"`)
  const url = receiver.url(`page-${merchantId}`)
  const saved = await (await post(path, { url, enabled: 'on' })).text()
  const secret = secretIn(saved)
  expect(saved).toContain('It is shown only once.')
  expect(await show(path)).toContain(url)
  expect(secretIn(await show(path))).toBeUndefined()
  expect(await (await post(`${path}/test`, {})).text()).toContain('Your system accepted the test event.')
  const renewed = secretIn(await (await post(`${path}/secret`, {})).text())
  expect([secret, renewed]).toEqual([expect.any(String), expect.any(String)])
  expect(renewed).not.toBe(secret)
  await post(`${path}/test`, {})
  const sent = await receiver.received(`page-${merchantId}`)
  for (const [i, keys] of [[secret], [secret, renewed]].entries())
    for (const key of keys) await verifyAccountWebhook(sent[i]?.body ?? '', sent[i]?.headers ?? {}, key ?? '')
  // Saved again, it keeps its secret.
  expect((await post(path, { url })).headers.get('location')).toBe(`${path}?done=saved`)
  expect(await show(path)).toContain('Off')
  expect((await post(`${path}/delete`, {})).status).toBe(303)
  expect(await show(path)).not.toContain(url)
  expect((await post(`${path}/test`, {})).status).toBe(409)
})

it('the page of the account webhook shows the problem of a wrong address at its field', async () => {
  const { post } = await newVisitor()
  const response = await post(path, { url: 'ftp://x', enabled: 'on' })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('Must be an https URL.')
})

it('the page of the account webhook lists the latest deliveries of its own account only', async () => {
  const scene = await newAccountScene()
  const stranger = await newAccountScene()
  await scene.createKey('shop')
  await scene.attemptAll()
  const show = async (merchantId: string) => await (await raw('GET', path, await sessionOf(merchantId))).text()
  expect(await show(scene.merchantId)).toMatch(/api_key\.created[\s\S]*Delivered/)
  expect(await show(stranger.merchantId)).toContain('No events yet')
  const editor = await newMember(scene.merchantId, 'editor')
  expect((await raw('GET', path, await sessionOf(scene.merchantId, Date.now(), editor.id))).status).toBe(403)
})
