import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

export const accountId = '0123456789abcdef0123456789abcdef'
export const apiToken = 'the token of the account'

interface Database {
  readonly uuid: string
  readonly name: string
  readonly location: string
  readonly sqlite: DatabaseSync
  replication?: string
}

interface Queue {
  readonly queue_id: string
  readonly queue_name: string
  readonly consumers: object[]
}

class ApiFailure extends Error {
  readonly status: number
  readonly code: number

  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type Respond = (id: string, body: Buffer, query: URLSearchParams) => unknown

const json = (body: Buffer) => JSON.parse(body.toString()) as Record<string, string>

const databaseRoutes = (databases: Map<string, Database>): Record<string, Respond> => {
  const find = (id: string) => {
    const found = [...databases.values()].find(({ uuid, name }) => uuid === id || name === id)
    if (found === undefined) throw new ApiFailure(404, 7404, 'The database was not found.')
    return found
  }
  const toResult = ({ uuid, name }: Database) => ({ uuid, name })
  return {
    'GET /d1/database': () => [...databases.values()].map(toResult),
    'GET /d1/database/*': (id) => toResult(find(id)),
    'PUT /d1/database/*': (id, body) => {
      const database = find(id)
      database.replication = (
        JSON.parse(body.toString()) as { read_replication: { mode: string } }
      ).read_replication.mode
      return toResult(database)
    },
    'POST /d1/database': (_, body) => {
      const { name = '', primary_location_hint: location = '' } = json(body)
      const database = { uuid: crypto.randomUUID(), name, location, sqlite: new DatabaseSync(':memory:') }
      databases.set(name, database)
      return toResult(database)
    },
    'POST /d1/database/*/query': (id, body) => {
      const { sql = '' } = json(body)
      const { sqlite } = find(id)
      const isRead = /^\s*(SELECT|PRAGMA)/i.test(sql)
      try {
        if (!isRead) sqlite.exec(`BEGIN; ${sql}; COMMIT`)
        return [{ success: true, meta: {}, results: isRead ? sqlite.prepare(sql).all() : [] }]
      } catch (error) {
        if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
        throw new ApiFailure(400, 7500, `${String(error)}: SQLITE_ERROR`)
      }
    },
  }
}

const storageRoutes = (buckets: Set<string>, queues: Map<string, Queue>): Record<string, Respond> => ({
  'POST /r2/buckets': (_, body) => {
    const { name = '' } = json(body)
    if (buckets.has(name)) throw new ApiFailure(409, 10004, 'The bucket you tried to create already exists.')
    buckets.add(name)
    return { name }
  },
  'GET /r2/buckets/*': (name) => {
    if (!buckets.has(name)) throw new ApiFailure(404, 10006, 'The bucket does not exist.')
    return { name }
  },
  'POST /queues': (_, body) => {
    const { queue_name = '' } = json(body)
    if (queues.has(queue_name)) throw new ApiFailure(409, 11009, `Queue name '${queue_name}' is already taken.`)
    const queue = { queue_id: `id-of-${queue_name}`, queue_name, consumers: [] }
    queues.set(queue_name, queue)
    return queue
  },
  'GET /queues': (_id, _body, query) =>
    [...queues.values()].filter(({ queue_name }) => query.getAll('name').includes(queue_name)),
  'POST /queues/*/consumers': (id, body) => {
    const { script_name: script } = json(body)
    const consumer = { consumer_id: id, type: 'worker', script }
    for (const queue of queues.values()) if (queue.queue_id === id) queue.consumers.push(consumer)
    return consumer
  },
  'PUT /queues/*/consumers/*': (id) => ({ consumer_id: id }),
})

const workerRoutes = (workers: Map<string, string[]>, secrets: Set<string>): Record<string, Respond> => {
  const find = (name: string, code = 10007) => {
    const uploads = workers.get(name)
    if (uploads === undefined) throw new ApiFailure(404, code, 'This Worker does not exist on your account.')
    return uploads
  }
  return {
    'GET /workers/scripts/*/secrets': (name) => find(name) && [...secrets].map((secret) => ({ name: secret })),
    'PUT /workers/scripts/*/secrets': (name, body) => find(name) && secrets.add(json(body)['name'] ?? '') && {},
    'PUT /workers/scripts/*': (name, body) => {
      workers.set(name, [...(workers.get(name) ?? []), body.toString('latin1')])
      return { id: name, startup_time_ms: 20 }
    },
    'POST /workers/scripts/*/versions': (name, body) => {
      find(name).push(body.toString('latin1'))
      return {
        id: 'new-version',
        startup_time_ms: 20,
        metadata: { has_preview: false },
        resources: { script: { etag: 'e' }, script_runtime: {} },
      }
    },
    'GET /workers/services/*': (name) => {
      const hasObjects = find(name, 10090).some((upload) => upload.includes('"new_tag"'))
      const script = { last_deployed_from: 'wrangler', ...(hasObjects && { migration_tag: 'v1' }) }
      return { default_environment: { script } }
    },
    'POST /workers/scripts/*/deployments': () => ({ id: 'deployment' }),
    'GET /workers/scripts/*/deployments': () => ({ deployments: [] }),
    'GET /workers/scripts/*/settings': (name) => find(name) && { bindings: [] },
    'PATCH /workers/scripts/*/script-settings': () => ({}),
    // Without buckets there is nothing to upload.
    'POST /workers/scripts/*/assets-upload-session': () => ({ jwt: 'completion-token', buckets: [] }),
    'GET /workers/scripts/*/subdomain': () => ({ enabled: true, previews_enabled: false }),
    'POST /workers/scripts/*/subdomain': () => ({ enabled: true, previews_enabled: false }),
    'GET /workers/subdomain': () => ({ subdomain: 'test' }),
    'GET /workers/workers/*': (name) => ({ id: name, name, subdomain: { enabled: true, previews_enabled: false } }),
    'PUT /workers/scripts/*/schedules': () => ({}),
  }
}

/**
 * Starts the part of Cloudflare's API that a deployment uses, with one empty account. D1 databases are real SQLite
 * databases. Other requests fail with 404.
 */
export async function startCloudflareApi() {
  const databases = new Map<string, Database>()
  const buckets = new Set<string>()
  const queues = new Map<string, Queue>()
  /** Bodies of the uploads of each Worker. */
  const workers = new Map<string, string[]>()
  const secrets = new Set<string>()
  /** Database calls so far, and how many of the next calls get 429. */
  const d1 = { calls: [] as string[], limited: 0 }
  const routes = {
    ...databaseRoutes(databases),
    ...storageRoutes(buckets, queues),
    ...workerRoutes(workers, secrets),
  }

  function respond(request: IncomingMessage, body: Buffer): unknown {
    if (request.headers.authorization !== `Bearer ${apiToken}`) throw new ApiFailure(403, 10000, 'Authentication error')
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://api')
    const path = pathname.replace(`/accounts/${accountId}`, '')
    if (path.startsWith('/d1/')) {
      d1.calls.push(`${request.method} ${path}`)
      if (d1.limited-- > 0) throw new ApiFailure(429, 971, 'Please wait and consider throttling your request speed')
    }
    for (const [route, handle] of Object.entries(routes)) {
      const match = new RegExp(`^${route.replaceAll('*', '([^/]+)')}$`).exec(`${request.method} ${path}`)
      if (match !== null) return handle(match[1] ?? '', body, searchParams)
    }
    throw new ApiFailure(404, 7003, `No route for ${request.method} ${path}`)
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = await readAll(request)
    response.setHeader('content-type', 'application/json')
    try {
      const result = await respond(request, body)
      response.end(JSON.stringify({ success: true, errors: [], messages: [], result }))
    } catch (error) {
      const { status, code, message } = error instanceof ApiFailure ? error : new ApiFailure(500, 1, String(error))
      response.statusCode = status
      if (status === 429) response.setHeader('retry-after', '0')
      response.end(JSON.stringify({ success: false, errors: [{ code, message }], messages: [], result: null }))
    }
  }

  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    databases,
    buckets,
    queues,
    workers,
    secrets,
    d1,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
