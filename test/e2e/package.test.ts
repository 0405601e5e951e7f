import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

/** Creates a project outside this one and installs the packed client in it, without a network. */
const projectDir = mkdtempSync(join(tmpdir(), 'garment-tagging-consumer-'))
const packageDir = join(projectDir, 'node_modules/garment-tagging')
const maxGzippedBytes = 10 * 1024

beforeAll(() => {
  writeFileSync(join(projectDir, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const options = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, inject('clientTarball')], { cwd: projectDir })
})

afterAll(() => rmSync(projectDir, { recursive: true, force: true }))

/** Finds every `node` on the PATH: the project's, and the machine's if there is another. */
function nodes(): [version: string, path: string][] {
  const found = new Map<string, string>()
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(directory, 'node')
    if (existsSync(node)) found.set(String(execFileSync(node, ['--version'])).trim(), node)
  }
  return [...found]
}

function write(name: string, text: string): string {
  writeFileSync(join(projectDir, name), text)
  return name
}

const usage = `
import { createClient, GarmentTaggingError, verifyWebhook } from 'garment-tagging'
import { createHmac } from 'node:crypto'

const body = JSON.stringify({ event: 'webhook.test', timestamp: new Date().toISOString() })
const timestamp = String(Math.floor(Date.now() / 1000))
const signature = createHmac('sha256', 'secret').update('id.' + timestamp + '.' + body).digest('base64')
const headers = { 'webhook-id': 'id', 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,' + signature }
const { event } = await verifyWebhook(body, headers, 'secret')
const client = createClient({ url: 'http://127.0.0.1:1', apiKey: 'k', domain: 'd', maxRetries: 0 })
const error = await client.query('g').catch((reason) => reason)
console.log(event, error instanceof GarmentTaggingError, error.status)
`

const typedUsage = `
import { createClient, GarmentTaggingError, verifyWebhook, type Garment, type WebhookEvent } from 'garment-tagging'

const client = createClient({ url: 'https://tagging.example.com', apiKey: 'k', domain: 'd' })
const garment: Garment = await client.uploadAndWait({ uuid: '1', image_url: 'https://example.com/1.jpg' })
export const colour: string | string[] | undefined = garment.tag?.['Colour']
export const confidence: 'High' | 'Medium' | 'Low' | undefined = garment.tag?.['Colour Confidence']
if (garment.complete) console.log(garment.tag.Colour, garment.measurements['Chest (cm)'])
export const status: 'queuing' | 'processing' | 'complete' | 'failed' = garment.status
const chest: number | undefined = garment.measurements?.['Chest (cm)']
await client.correct('1', { tag: { Colour: 'Navy' }, measurements: { 'Chest (cm)': chest ?? null } })
// @ts-expect-error: there is no such attribute.
await client.correct('1', { tag: { Color: 'Navy' } })
// @ts-expect-error: nor such a point of measure.
await client.correct('1', { measurements: { 'Chest (in)': 20 } })
// @ts-expect-error: uuid is missing.
await client.upload({ image_url: 'https://example.com/1.jpg' })
// @ts-expect-error: there is no such status.
for await (const { machine } of client.exportGarments({ status: 'done' })) console.log(machine?.measurements)
const event: WebhookEvent = await verifyWebhook('{}', new Headers(), ['new', 'old'])
if ('measurements' in event) console.log(event.uuid, event.measurements?.['Chest (cm)']?.toFixed(1))
else if (event.event === 'garment.deleted') console.log(event.uuid)
// @ts-expect-error: a test event has no garment.
else console.log(event.uuid)
if ('measurements' in event && event.complete) console.log(event.tag.Colour)
for await (const listed of client.garments()) if (listed.status === 'complete') console.log(listed.tag.Colour)
export const statusOf = (error: unknown): number => (error instanceof GarmentTaggingError ? error.status : 0)
await client.createTenant({ name: 'Ann', domain: 'ann.example', settings: { timezone: 'UTC', own: 'x' } })
`

describe('the packed client', () => {
  it('has no file but the bundles, declarations and documents', () => {
    const files = readdirSync(packageDir).filter((name) => !name.endsWith('.d.ts'))
    expect(files.sort()).toEqual(['LICENSE', 'README.md', 'command-line.js', 'index.js', 'package.json'])
  })

  it('has the version of the service', () => {
    const version = (dir: string) =>
      (JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { version: string }).version
    expect(version(packageDir)).toBe(version('.'))
  })

  it(`has at most ${maxGzippedBytes} bytes gzipped, apart from the command line`, () => {
    expect(gzipSync(readFileSync(join(packageDir, 'index.js'))).length).toBeLessThanOrEqual(maxGzippedBytes)
  })

  it('imports nothing, and its declarations import only each other', () => {
    expect(readFileSync(join(packageDir, 'index.js'), 'utf8')).not.toMatch(/^import |\brequire\(|\bimport\(/m)
    for (const name of readdirSync(packageDir).filter((each) => each.endsWith('.d.ts'))) {
      const imports = readFileSync(join(packageDir, name), 'utf8').matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)
      for (const [, path = ''] of imports)
        expect(existsSync(join(packageDir, path.replace(/\.js$/, '.d.ts')))).toBe(true)
    }
  })

  it.each(nodes())('runs in Node.js %s', (_, node) => {
    const output = execFileSync(node, [write('usage.js', usage)], { cwd: projectDir })
    expect(String(output)).toBe('webhook.test true 0\n')
    const help = execFileSync(node, [join(projectDir, 'node_modules/.bin/garment-tagging'), '--help'])
    expect(String(help)).toContain('Usage: garment-tagging')
  })

  it.each([
    { for: 'a browser', lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'], types: [] },
    { for: 'Node.js', lib: ['ES2022'], types: [resolve('node_modules/@types/node')] },
    { for: 'Workers', lib: ['ES2022'], types: [resolve('node_modules/@cloudflare/workers-types')] },
  ])('has types for $for', ({ lib, types }) => {
    const strictness = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
    const target = { target: 'ES2022', module: 'NodeNext', moduleResolution: 'NodeNext', noEmit: true }
    const compilerOptions = { ...target, ...strictness, skipLibCheck: false, lib, types }
    write('usage.ts', typedUsage)
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['usage.ts'] }))
    const tsc = resolve('node_modules/.bin/tsc')
    expect(spawnSync(tsc, ['--project', projectDir], { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' })
  })
})
