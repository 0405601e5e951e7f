import { describe, expect, inject, it } from 'vitest'
import { addTemporaryEndpoint } from '../../../src/client/command-line/temporary-endpoint.ts'
import { freePort } from '../../support/free-port.ts'
import { useHttpHost } from '../support/use-http-host.ts'
import { newTenant, run, start } from './run-command.ts'

const serviceUrl = inject('sharedServiceUrl')

const host = await useHttpHost()

const production = (name: string) => ({
  enabled: true,
  url: `${host.origin}/to/${name}`,
  secret: 'own',
  headers: { 'X-Own': 'yes' },
})

type Client = Awaited<ReturnType<typeof newTenant>>['client']

const idsOf = async (client: Client) => (await client.listEndpoints()).endpoints.map(({ id }) => id)

describe('garment-tagging listen', () => {
  it('shows verified webhooks and refuses others, while the production webhook goes on', async () => {
    const { env, client } = await newTenant(serviceUrl, 'Listening')
    const before = production('busy')
    await client.putWebhookConfig(before)
    const port = await freePort()
    const listening = start(['listen', '--port', String(port), '--test'], env)
    await expect.poll(() => listening.output.stdout).toMatch(/verified {2}webhook\.test\n/)
    const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"event":"tagging.completed"}' })
    expect(forged.status).toBe(401)
    await client.upload({ uuid: 'heard', image_url: `${serviceUrl}/samples/t-shirt.jpg` })
    await expect.poll(() => listening.output.stdout).toMatch(/tagging\.completed {2}heard {2}A /)
    await expect.poll(() => host.received('busy').length).toBe(1)
    await client.delete('heard')
    await expect.poll(() => listening.output.stdout).toMatch(/verified {2}garment\.deleted {2}heard/)
    expect(await client.getWebhookConfig()).toEqual(before)
    listening.interrupt()
    const { code, stderr } = await listening.ended
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('Rejected a request. The webhook could not be verified'),
    ])
    expect(await client.getWebhookConfig()).toEqual(before)
    expect(await idsOf(client)).toEqual(['first'])
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('removes its endpoint at %s', async (signal) => {
    const { env, client } = await newTenant(serviceUrl, signal)
    await client.putWebhookConfig(production('signals'))
    const listening = start(['listen'], env)
    await expect.poll(() => listening.output.stderr).toContain('Listening')
    expect(await idsOf(client)).toHaveLength(2)
    listening.interrupt(signal)
    expect((await listening.ended).code).toBe(0)
    expect(await idsOf(client)).toEqual(['first'])
  })

  it('removes its endpoint when the terminal is closed', async () => {
    const { env, client } = await newTenant(serviceUrl, 'Terminal')
    await client.putWebhookConfig(production('terminal'))
    const listening = start(['listen'], env)
    await expect.poll(() => listening.output.stderr).toContain('Listening')
    listening.hangUp()
    await listening.ended
    expect(await idsOf(client)).toEqual(['first'])
    expect(await client.getWebhookConfig()).toEqual(production('terminal'))
  })

  it('removes at the next start what it left when it was killed, and nothing else', async () => {
    const { env, client } = await newTenant(serviceUrl, 'Killed')
    await client.putWebhookConfig(production('killed'))
    const other = start(['listen'], env)
    await expect.poll(() => other.output.stderr).toContain('Listening')
    const killed = start(['listen'], env)
    await expect.poll(() => killed.output.stderr).toContain('Listening')
    killed.interrupt('SIGKILL')
    await killed.ended
    const before = await idsOf(client)
    expect(before).toHaveLength(3)
    expect((await run(['listen', '--test', '--count', '1'], env)).code).toBe(0)
    expect(await idsOf(client)).toEqual(before.slice(0, 2))
    other.interrupt()
    await other.ended
    expect(await client.getWebhookConfig()).toEqual(production('killed'))
  })

  it('renews its endpoint, which otherwise expires', async () => {
    const { env, client } = await newTenant(serviceUrl, 'Ending')
    await client.putWebhookConfig(production('ending'))
    const listening = start(['listen'], env)
    await expect.poll(() => listening.output.stderr).toContain('Listening')
    const endOf = async (id = '') => Date.parse((await client.getEndpoint(id)).expires_at ?? '')
    expect(await endOf((await idsOf(client))[1])).toBeGreaterThan(Date.now() + 5 * 60_000)
    listening.interrupt()
    await listening.ended
    const signal = new AbortController().signal
    const endpoint = await addTemporaryEndpoint(client, { url: production('own').url, secret: 'own' }, signal)
    const before = await endOf(endpoint.id)
    expect(await endpoint.renew()).toBe(true)
    expect(await endOf(endpoint.id)).toBeGreaterThan(before)
    await client.changeEndpoint(endpoint.id, { description: 'Mine now', expires_in: null })
    expect(await endpoint.renew()).toBe(false)
    expect(await client.getEndpoint(endpoint.id)).not.toHaveProperty('expires_at')
    await client.deleteEndpoint(endpoint.id)
    expect(await endpoint.renew()).toBe(false)
  })

  it('leaves a tenant without a webhook as it was', async () => {
    const { env, client } = await newTenant(serviceUrl, 'None')
    const before = await client.getWebhookConfig()
    const { code, stdout } = await run(['listen', '--test', '--count', '1', '--json'], env)
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { event: 'webhook.test' }])
    expect(await client.getWebhookConfig()).toEqual(before)
  })

  it('does not remove the webhook of whoever configured it meanwhile, not even after being killed', async () => {
    const { env, client } = await newTenant(serviceUrl, 'Meanwhile')
    const listening = start(['listen'], env)
    await expect.poll(() => listening.output.stderr).toContain('Listening')
    expect((await client.getEndpoint('first')).events).toContain('garment.deleted')
    await client.putWebhookConfig(production('meanwhile'))
    listening.interrupt()
    expect((await listening.ended).code).toBe(0)
    expect(await client.getWebhookConfig()).toEqual(production('meanwhile'))
    const defaults = { description: '', events: ['tagging.completed', 'tagging.failed'] }
    expect(await client.getEndpoint('first')).toMatchObject(defaults)
    expect((await run(['listen', '--test', '--count', '1'], env)).code).toBe(0)
    expect(await client.getWebhookConfig()).toEqual(production('meanwhile'))
  })

  it('says that all five endpoints are taken', async () => {
    const { env, client } = await newTenant(serviceUrl, 'Five')
    for (let i = 0; i < 5; i++) await client.createEndpoint({ url: `${host.origin}/to/five-${i}` })
    const { code, stderr } = await run(['listen'], env)
    expect([code, stderr]).toEqual([1, expect.stringContaining('has five webhook endpoints')])
    for (let i = 0; i < 5; i++) expect(stderr).toContain(`/to/five-${i}`)
  })
})
