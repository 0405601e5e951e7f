import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import { apiToken, startCloudflareApi } from './support/cloudflare-api.ts'
import { runAsOperator } from './support/run-as-operator.ts'

let api: Awaited<ReturnType<typeof startCloudflareApi>>

beforeAll(async () => {
  api = await startCloudflareApi()
})

afterAll(async () => await api.close())

const run = async (command: string, options: Parameters<typeof runAsOperator>[2] = {}) =>
  await runAsOperator(api.url, command, options)

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
      const put = await run('npx wrangler secret put JWT_SECRET --env staging', { input: 'c2VjcmV0'.repeat(5) })
      expect([put.code, put.output]).toEqual([0, expect.stringContaining('Success')])
      expect([...api.secrets]).toEqual(['JWT_SECRET'])
      // The others are set in the same way, which takes seconds for each.
      for (const name of ['ENCRYPTION_KEY', 'OPERATOR_TOKEN']) api.secrets.add(name)
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
})
