import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { requestCode } from '../../docs/site/reference/request-code.ts'
import { textOf } from '../../docs/site/html.ts'

// Runs the requests in the reference as a reader would paste them.

const dir = mkdtempSync(join(tmpdir(), 'garment-tagging-requests-'))
const received: { method: string | undefined; url: string | undefined; headers: object; body: string }[] = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += String(chunk)))
  request.on('end', () => {
    received.push({ method: request.method, url: request.url, headers: request.headers, body })
    response.end('{"status":true}')
  })
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => {
  server.close()
  rmSync(dir, { recursive: true, force: true })
})

const example = { uuid: 'a/ü "1"', note: "it's\nback\\slash", price: 1.5, none: null }
const operation = {
  operationId: 'tryIt',
  summary: '',
  tags: [],
  responses: {},
  security: [{ ApiKey: [], Domain: [] }],
  parameters: [
    { name: 'id', in: 'path', required: true, schema: { example: 'e/1' } },
    { name: 'uuid', in: 'query', required: true, schema: { example: "1 & 'ü'" } },
    { name: 'limit', in: 'query', schema: {} },
  ],
}
const requestBody = { content: { 'application/json': { schema: {}, example } } }

const programs = [
  { name: 'curl', file: 'request.sh', command: 'sh' },
  { name: 'JavaScript', file: 'request.mjs', command: process.execPath },
  { name: 'Python', file: 'request.py', command: 'python3' },
  { name: 'PHP', file: 'request.php', command: 'php' },
]

it.each(['patch', 'get'])('a %s of the reference sends the same request in every language', async (method) => {
  const body = method === 'get' ? {} : { requestBody }
  const endpoint = { method, path: '/try/{id}', operation: { ...operation, ...body } }
  const blocks = [...requestCode(endpoint).matchAll(/<code>(.*?)<\/code>/gs)].map(([, html = '']) =>
    html.split('\n').map((line) => line.replace(/^ */, (blanks) => blanks.replaceAll(' ', '\u00a0'))),
  )
  received.length = 0
  for (const [i, { file, command }] of programs.entries()) {
    const lines = (blocks[i] ?? []).map((line) => textOf(line).replaceAll('\u00a0', ' '))
    const { port } = server.address() as AddressInfo
    writeFileSync(
      join(dir, file),
      lines.join('\n').replaceAll('https://tagging.example.com', `http://127.0.0.1:${port}`),
    )
    await promisify(execFile)(command, [file], { cwd: dir })
  }
  expect(received.map(({ body: text }) => (text === '' ? null : (JSON.parse(text) as object)))).toEqual(
    programs.map(() => (method === 'get' ? null : example)),
  )
  for (const { method: sent, url, headers } of received) {
    expect([sent, decodeURIComponent(url ?? '')]).toEqual([method.toUpperCase(), "/try/e/1?uuid=1 & 'ü'"])
    expect(headers).toMatchObject({ 'api-key': 'YOUR_API_KEY', domain: 'ann.example' })
  }
  expect(received.length).toBe(programs.length)
})
