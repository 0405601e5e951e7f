// npx wrangler d1 create events, its id into wrangler.toml, npx wrangler secret put WEBHOOK_SECRET, npx wrangler deploy

/** Whether the service has signed these bytes with our secret, within the last five minutes. */
async function isGenuine(secret, body, headers) {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`webhook-${name}`) ?? '',
  )
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const encoder = new TextEncoder()
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice(6)) : encoder.encode(secret)
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const start = encoder.encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(start.length + body.byteLength)
  signed.set(start)
  signed.set(new Uint8Array(body), start.length)
  for (const signature of signatures.split(' ').filter((each) => /^v1,[\w+/]{43}=$/.test(each)))
    if (await crypto.subtle.verify('HMAC', key, fromBase64(signature.slice(3)), signed)) return true
  return false
}

const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

const table = 'CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, body TEXT, at INTEGER, done INTEGER DEFAULT 0)'

/** Stores an event under its id, once: a second row with the same key is ignored. Returns whether it is new. */
async function store(db, id, body) {
  const insert = db.prepare('INSERT OR IGNORE INTO events (id, body, at) VALUES (?, ?, ?)')
  const [, { meta }] = await db.batch([db.prepare(table), insert.bind(id, body, Date.now())])
  return meta.changes === 1
}

/** Yours. It runs again if the Worker ends within it, so let it be repeatable. */
async function work({ event, uuid, tag }) {
  console.log(event, uuid, tag?.['Item Type'])
}

async function workOn(db, { id, body }) {
  try {
    await work(JSON.parse(body))
    await db.prepare('UPDATE events SET done = 1 WHERE id = ?').bind(id).run()
  } catch (error) {
    console.error(id, error)
  }
}

export default {
  async fetch(request, env, context) {
    if (request.method !== 'POST') return new Response(null, { status: 405 })
    const bytes = await request.arrayBuffer()
    if (!(await isGenuine(env.WEBHOOK_SECRET, bytes, request.headers))) return new Response(null, { status: 401 })
    const event = { id: request.headers.get('webhook-id'), body: new TextDecoder().decode(bytes) }
    if (await store(env.DB, event.id, event.body)) context.waitUntil(workOn(env.DB, event))
    return new Response(null, { status: 204 })
  },
  // Each minute, what an interrupted run has left.
  async scheduled(_, { DB: db }) {
    const left = db.prepare('SELECT id, body FROM events WHERE done = 0 AND at < ? LIMIT 100')
    const [, { results }] = await db.batch([db.prepare(table), left.bind(Date.now() - 60_000)])
    for (const event of results) await workOn(db, event)
  },
}
