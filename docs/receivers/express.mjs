// npm install express && WEBHOOK_SECRET=whsec_… node express.mjs
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import express from 'express'

const secret = process.env.WEBHOOK_SECRET ?? ''
const port = Number(process.env.PORT ?? 8000)
const folder = 'events'
mkdirSync(folder, { recursive: true })

/** Whether the service has signed these bytes with our secret, within the last five minutes. */
function isGenuine(body, id, timestamp, signatures) {
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const bytes = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}

/** Stores an event under its id, once: only the first link to a name succeeds. */
function store(id, body) {
  const part = `${folder}/${id}.${randomUUID()}.part`
  writeFileSync(part, body, { flush: true })
  try {
    linkSync(part, `${folder}/${id}.json`)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  } finally {
    rmSync(part)
  }
}

/** Yours. It runs again if the program ends within it, so let it be repeatable. */
function work({ event, uuid, tag }) {
  console.log(event, uuid, tag?.['Item Type'])
}

setInterval(() => {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const done = `${folder}/${name}.done`
    if (existsSync(done)) continue
    try {
      work(JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')))
      writeFileSync(done, '')
    } catch (error) {
      console.error(name, error)
    }
  }
}, 1000)

const app = express()

app.post('/webhook', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
  const body = request.body ?? Buffer.alloc(0)
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = request.headers
  if (!isGenuine(body, id, timestamp, signatures)) return response.sendStatus(401)
  store(id, body)
  response.sendStatus(204)
})

app.listen(port)
