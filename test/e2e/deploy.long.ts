import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import { accountId, apiToken, startCloudflareApi } from './support/cloudflare-api.ts'
import { copyProject } from './support/copy-project.ts'
import { runAsOperator } from './support/run-as-operator.ts'

let api: Awaited<ReturnType<typeof startCloudflareApi>>

beforeAll(async () => {
  api = await startCloudflareApi()
})

afterAll(async () => await api.close())

const run = async (command: string, options: Parameters<typeof runAsOperator>[2] = {}) =>
  await runAsOperator(api.url, command, options)

const deploy = async (args: string, token = apiToken) => await run(`npm run --silent deploy -- ${args}`, { token })

describe('npm run deploy', () => {
  it('asks for the environment', async () => {
    const { code, output } = await deploy('')
    expect([code, output]).toEqual([1, expect.stringContaining('--env production')])
  })

  it('says how to log in if the token is rejected', async () => {
    const { code, output } = await deploy('--env staging', 'wrong')
    expect([code, output]).toEqual([1, expect.stringContaining('npx wrangler login')])
    expect(api.databases.size).toBe(0)
  })

  it('creates all resources in an empty account, and then asks for the secrets', async () => {
    const { code, output } = await deploy('--env staging')
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('Missing secrets: JWT_SECRET, ENCRYPTION_KEY and OPERATOR_TOKEN.'),
    ])
    expect([...api.databases.values()]).toMatchObject([
      { name: 'garment-tagging-staging', location: 'weur', replication: 'auto' },
    ])
    expect([...api.buckets]).toEqual(['garment-tagging-pictures-staging'])
    expect([...api.queues.keys()].sort()).toEqual([
      'garment-tagging-dead-staging',
      'garment-tagging-staging',
      'webhook-delivery-dead-staging',
      'webhook-delivery-staging',
    ])
    expect(api.workers.size).toBe(0)
  })

  it('applies the migrations and deploys once the secrets are set', async () => {
    const put = await run('npx wrangler secret put JWT_SECRET --env staging', { input: 'c2VjcmV0'.repeat(5) })
    expect([put.code, put.output]).toEqual([0, expect.stringContaining('Success')])
    expect([...api.secrets]).toEqual(['JWT_SECRET'])
    // One secret is enough: setting each takes seconds.
    for (const name of ['ENCRYPTION_KEY', 'OPERATOR_TOKEN']) api.secrets.add(name)
    const { code, output } = await deploy('--env staging')
    expect([code, output]).toEqual([0, expect.stringContaining('Deployed garment-tagging-staging')])
    const [database] = api.databases.values()
    const tables = database?.sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    expect(tables?.map(({ name }) => name)).toEqual(expect.arrayContaining(['merchants', 'garments', 'deliveries']))
    expect(api.workers.get('garment-tagging-staging')?.at(-1)).toContain(database?.uuid)
    expect([...api.queues.values()].map(({ consumers }) => consumers.length)).toEqual([1, 1, 1, 1])
  })

  it('uploads a version that gets no requests yet, for a gradual deployment', async () => {
    const { code, output } = await deploy('--env staging --gradual')
    expect([code, output]).toEqual([0, expect.stringContaining('Worker Version ID: new-version')])
  })

  it('deploys again, with the databases that were added, each with its tables', async () => {
    const folder = copyProject()
    try {
      const none = await run('npm run --silent databases -- --env staging', { folder })
      expect([none.code, none.output]).toEqual([1, expect.stringContaining('--add 2')])
      Object.assign(api.d1, { calls: [], limited: 2 })
      const added = await run('npm run --silent databases -- --env staging --add 2', { folder })
      expect([added.code, added.output]).toEqual([0, expect.stringContaining('npm run deploy -- --env staging')])
      // One list call, and three calls per database: create, migrate, turn replication on. Two were rejected.
      expect(api.d1.calls).toHaveLength(2 + 1 + 2 * 3)
      const { code, output } = await run('npm run --silent deploy -- --env staging', { folder })
      expect([code, output]).toEqual([0, expect.stringContaining('Deployed garment-tagging-staging')])
      const upload = api.workers.get('garment-tagging-staging')?.at(-1)
      for (const suffix of ['', '-2', '-3']) {
        const database = api.databases.get(`garment-tagging-staging${suffix}`)
        expect(database).toMatchObject({ location: 'weur', replication: 'auto' })
        expect(database?.sqlite.prepare('SELECT count(*) n FROM garments').get()).toEqual({ n: 0 })
        expect(upload).toContain(database?.uuid)
      }
      expect(readFileSync(join(folder, 'worker-configuration.d.ts'), 'utf8')).toContain('DB3?: D1Database')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('goes on with the other databases if one fails, and resumes with what is left', async () => {
    const folder = copyProject()
    try {
      const add = async () => await run('npm run --silent databases -- --env staging --add 4', { folder })
      const { sqlite } = api.databases.get('garment-tagging-staging-2') ?? {}
      sqlite?.exec('ALTER TABLE d1_migrations RENAME TO lost')
      const failed = await add()
      expect([failed.code, failed.output]).toEqual([1, expect.stringContaining('garment-tagging-staging-2: ')])
      expect(failed.output).toContain('run the command again')
      sqlite?.exec('ALTER TABLE lost RENAME TO d1_migrations')
      // Simulates a command that was interrupted after creating the database.
      Object.assign(api.databases.get('garment-tagging-staging-5') ?? {}, { sqlite: new DatabaseSync(':memory:') })
      const resumed = await add()
      expect([resumed.code, resumed.output]).toEqual([0, expect.stringContaining('DB5')])
      expect(resumed.output.match(/exists; migrations applied: \d/g)).toEqual(
        expect.arrayContaining([0, 0, 0, 1].map((count) => `exists; migrations applied: ${count}`)),
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('without an environment, in a build by Cloudflare, deploys with what the button has created', async () => {
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
  })
})
