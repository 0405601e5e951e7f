import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountId, apiToken, startCloudflareApi } from './cloudflare-api.ts'
import { copyProject } from './copy-project.ts'

let api: Awaited<ReturnType<typeof startCloudflareApi>>

beforeAll(async () => {
  api = await startCloudflareApi()
})

afterAll(async () => await api.close())

/** Runs a command as an operator would, but against the local API. */
async function run(command: string, { token = apiToken, input = '', folder = '.' } = {}) {
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env: {
      ...process.env,
      CI: 'true',
      CLOUDFLARE_API_BASE_URL: api.url,
      CLOUDFLARE_API_TOKEN: token,
      CLOUDFLARE_ACCOUNT_ID: accountId,
      WRANGLER_SEND_METRICS: 'false',
    },
  })
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, output: stdout + stderr }
}

const deploy = async (args: string, token = apiToken) => await run(`npm run --silent deploy -- ${args}`, { token })

const deployTimeoutMs = 300_000

describe('npm run deploy', () => {
  it('asks for the environment', async () => {
    const { code, output } = await deploy('')
    expect([code, output]).toEqual([1, expect.stringContaining('--env production')])
  })

  it(
    'says how to log in if the token is rejected',
    async () => {
      const { code, output } = await deploy('--env staging', 'wrong')
      expect([code, output]).toEqual([1, expect.stringContaining('npx wrangler login')])
      expect(api.databases.size).toBe(0)
    },
    deployTimeoutMs,
  )

  it(
    'creates all resources in an empty account, and then asks for the secrets',
    async () => {
      const { code, output } = await deploy('--env staging')
      expect([code, output]).toEqual([
        1,
        expect.stringContaining('Missing secrets: JWT_SECRET, ENCRYPTION_KEY and OPERATOR_TOKEN.'),
      ])
      expect([...api.databases.values()]).toMatchObject([{ name: 'garment-tagging-staging', location: 'weur' }])
      expect([...api.buckets]).toEqual(['garment-tagging-pictures-staging'])
      expect([...api.queues.keys()].sort()).toEqual([
        'garment-tagging-dead-staging',
        'garment-tagging-staging',
        'webhook-delivery-dead-staging',
        'webhook-delivery-staging',
      ])
      expect(api.workers.size).toBe(0)
    },
    deployTimeoutMs,
  )

  it(
    'applies the migrations and deploys once the secrets are set, and again after that',
    async () => {
      for (const name of ['JWT_SECRET', 'ENCRYPTION_KEY', 'OPERATOR_TOKEN']) {
        const put = await run(`npx wrangler secret put ${name} --env staging`, { input: 'c2VjcmV0'.repeat(5) })
        expect([put.code, put.output]).toEqual([0, expect.stringContaining('Success')])
      }
      for (let times = 1; times <= 2; times++) {
        const { code, output } = await deploy('--env staging')
        expect([code, output]).toEqual([0, expect.stringContaining('Deployed garment-tagging-staging')])
      }
      const [database] = api.databases.values()
      const tables = database?.sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
      expect(tables?.map(({ name }) => name)).toEqual(expect.arrayContaining(['merchants', 'garments', 'deliveries']))
      expect(api.workers.get('garment-tagging-staging')?.at(-1)).toContain(database?.uuid)
      expect([...api.queues.values()].map(({ consumers }) => consumers.length)).toEqual([1, 1, 1, 1])
    },
    2 * deployTimeoutMs,
  )

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
