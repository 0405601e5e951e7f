import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountId, apiToken, startCloudflareApi } from './support/cloudflare-api.ts'
import { copyProject } from './support/copy-project.ts'
import { runAsOperator } from './support/run-as-operator.ts'

let api: Awaited<ReturnType<typeof startCloudflareApi>>

beforeAll(async () => {
  api = await startCloudflareApi()
  // As a first deployment and `wrangler secret put` leave it.
  api.workers.set('garment-tagging-staging', [])
  for (const name of ['JWT_SECRET', 'ENCRYPTION_KEY', 'OPERATOR_TOKEN']) api.secrets.add(name)
})

afterAll(async () => await api.close())

const run = async (command: string, options: Parameters<typeof runAsOperator>[2] = {}) =>
  await runAsOperator(api.url, command, options)

const deployTimeoutMs = 300_000

describe('npm run deploy, in an account with the secrets', () => {
  it(
    'deploys with the databases that were added, each with its tables',
    async () => {
      const folder = copyProject()
      try {
        const none = await run('npm run --silent databases -- --env staging', { folder })
        expect([none.code, none.output]).toEqual([1, expect.stringContaining('--add 2')])
        const added = await run('npm run --silent databases -- --env staging --add 2', { folder })
        expect([added.code, added.output]).toEqual([0, expect.stringContaining('npm run deploy -- --env staging')])
        const { code, output } = await run('npm run --silent deploy -- --env staging', { folder })
        expect([code, output]).toEqual([0, expect.stringContaining('Deployed garment-tagging-staging')])
        const upload = api.workers.get('garment-tagging-staging')?.at(-1)
        for (const suffix of ['', '-2', '-3']) {
          const database = api.databases.get(`garment-tagging-staging${suffix}`)
          expect(database?.location).toBe('weur')
          expect(database?.sqlite.prepare('SELECT count(*) n FROM garments').get()).toEqual({ n: 0 })
          expect(upload).toContain(database?.uuid)
        }
        expect(readFileSync(join(folder, 'worker-configuration.d.ts'), 'utf8')).toContain('DB3?: D1Database')
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
    2 * deployTimeoutMs,
  )

  it(
    'without an environment, in a build by Cloudflare, deploys with what the button has created',
    async () => {
      const headers = { authorization: `Bearer ${apiToken}` }
      const body = JSON.stringify({ name: 'garment-tagging' })
      await fetch(`${api.url}/accounts/${accountId}/d1/database`, { method: 'POST', headers, body })
      api.buckets.add('garment-tagging-pictures')
      const { code, output } = await run('WORKERS_CI=1 npm run --silent deploy')
      expect([code, output]).toEqual([0, expect.stringContaining('Deployed garment-tagging ')])
      expect(api.databases.get('garment-tagging')?.sqlite.prepare('SELECT count(*) n FROM garments').get()).toEqual({
        n: 0,
      })
      expect([...api.queues.keys()]).toContain('webhook-delivery-dead')
    },
    deployTimeoutMs,
  )
})
