import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { useHttpHost } from './support/use-http-host.ts'

const serviceUrl = inject('sharedServiceUrl')
const folder = mkdtempSync(join(tmpdir(), 'python-client-'))
const host = await useHttpHost()
let connection: { readonly url: string; readonly api_key: string; readonly domain: string }

beforeAll(async () => {
  const credentials = { email: 'python@example.com', password: 'a long password' }
  const anyone = createClient({ url: serviceUrl })
  await anyone.signUp({ ...credentials, name: 'Ann' })
  const owner = createClient({ url: serviceUrl, token: (await anyone.signIn(credentials)).token })
  const { domain } = await owner.createTenant({ name: 'Ann', domain: 'python.example' })
  connection = { url: serviceUrl, api_key: (await owner.createApiKey({ name: 'shop' })).api_key, domain }
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Starts a loopback server that stands in for the service. */
async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** Runs Python lines and returns the value that they assign to `result`. */
async function python(lines: string, given: object): Promise<unknown> {
  const program = `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, ${JSON.stringify(resolve('src/client/python'))})
from garment_tagging import GarmentTagging, GarmentTaggingError, verify_webhook
given = json.loads(sys.argv[1])
client = GarmentTagging(**given.pop("connection"))
${lines}
print(json.dumps(result))`
  const { stdout } = await promisify(execFile)('python3', ['-c', program, JSON.stringify({ connection, ...given })])
  return JSON.parse(stdout)
}

describe('the Python client, against a running service', () => {
  it('uploads, waits, corrects and exports', async () => {
    const image = host.store('garment.jpg', encodeJpeg(makeFlatLay(11, { width: 300, height: 400 }).picture))
    const lines = `garment = client.upload_and_wait("ü/1", given["image"], {"Material": "Cotton"})
corrected = client.correct("ü/1", tag={"Brand": "Ünique"})
result = [garment["status"], garment["tag"]["Material"], corrected["corrected"], [g["uuid"] for g in client.export(limit=1)]]`
    expect(await python(lines, { image })).toEqual(['complete', 'Cotton', ['Brand'], ['ü/1']])
  })

  it('uploads several files with their kinds, and adds one', async () => {
    const [front, back, label] = [12, 13, 14].map((seed) => {
      const path = join(folder, `"${seed}".jpg`)
      writeFileSync(path, encodeJpeg(makeFlatLay(seed, { width: 300, height: 400 }).picture))
      return path
    })
    const lines = `with open(given["back"], "rb") as file: back = file.read()
client.upload_files("files", [given["front"], back], {"Brand": "Ünique"}, [None, "back"])
client.wait("files")
client.add_picture("files", file=given["label"], kind="label")
garment = client.wait("files")
result = [garment["tag"]["Brand"], [[image["kind"], image["width"]] for image in garment["images"]]]`
    const kinds = ['front', 'back', 'label'].map((kind) => [kind, 300])
    expect(await python(lines, { front, back, label })).toEqual(['Ünique', kinds])
  })

  it('configures the webhook and reads a delivery', async () => {
    const lines = `client.put_webhook(given["hook"], "a secret", {"X-Shop": "Ann"})
config = client.get_webhook()
try: client.get_delivery("none")
except GarmentTaggingError as error: result = [config["url"], config["headers"], error.code, error.status]`
    const hook = `${host.origin}/to/python`
    expect(await python(lines, { hook })).toEqual([hook, { 'X-Shop': 'Ann' }, 'delivery_not_found', 404])
  })

  it('imports, lists, changes attributes and deletes', async () => {
    const image = host.store('listed.jpg', encodeJpeg(makeFlatLay(15, { width: 300, height: 400 }).picture))
    const lines = `import time
stored = client.import_garments([{"uuid": "listed-1", "image_url": given["image"]}, {"uuid": "listed-2"}], "two.jsonl")
csv = client.import_garments("Key,image_url\\nlisted-3," + given["image"] + "\\n", columns={"Key": "uuid"})
while not (client.get_import(stored["id"])["done"] and client.get_import(csv["id"])["done"]): time.sleep(0.2)
client.pause_import(csv["id"])
listed = sorted(garment["uuid"] for garment in client.garments("listed", limit=1))
changed = client.correct("listed-1", attribute={"Brand": "Ann"}, listing={"price": "5"}, stage="ready")
client.delete("listed-1")
try: client.query("listed-1")
except GarmentTaggingError as error: code = error.code
result = [stored["refused"], listed, changed["tag"]["Brand"], changed["stage"], code, "T-Shirt" in json.dumps(client.taxonomy())]
result += [[each["name"] for each in client.imports()][-1]]`
    const expected = [1, ['listed-1', 'listed-3'], 'Ann', 'ready', 'garment_not_found', true, 'two.jsonl']
    expect(await python(lines, { image })).toEqual(expected)
  })

  it('splits a garment, reserves numbers, and reads shop files page by page', async () => {
    const [first, second] = [16, 17].map((seed) =>
      host.store(`split-${seed}.jpg`, encodeJpeg(makeFlatLay(seed, { width: 300, height: 400 }).picture)),
    )
    const lines = `client.upload_and_wait("whole", given["first"], images=[{"url": given["second"]}])
ids = [image["id"] for image in client.query("whole")["images"]]
part = client.split("whole", "part", ids[1:])
for uuid in ["whole", "part"]: client.wait(uuid)
numbers = client.reserve_numbers(2)["numbers"]
page = client.export_shop_page("vinted", limit=1)
next_page = client.export_shop_page("vinted", limit=1, cursor=page["next_cursor"])
report = client.export_report("google", limit=1, from_="2026-01-01")
result = [part["uuid"], len(part["images"]), len(numbers), page["csv"].split(",")[0], page["csv"] != next_page["csv"], len(report["omitted"])]`
    expect(await python(lines, { first, second })).toEqual(['part', 1, 2, 'SKU', true, 1])
  })

  it('manages endpoints, and reads and repeats their deliveries', async () => {
    const image = host.store('delivered.jpg', encodeJpeg(makeFlatLay(18, { width: 300, height: 400 }).picture))
    const lines = `import time
endpoint = client.create_endpoint(given["hook"], description="Search")["id"]
changed = client.change_endpoint(endpoint, max_per_second=5)
client.upload_and_wait("delivered", given["image"])
while client.get_delivery("delivered", endpoint)["status"] == "pending": time.sleep(0.1)
attempts = [attempt["response_status"] for attempt in client.attempts("delivered", endpoint)]
client.redeliver("delivered", endpoint)
while client.get_delivery("delivered", endpoint)["attempt_count"] < 2: time.sleep(0.1)
found = client.redeliver_range("2026-01-01", "2100-01-01", endpoint)["found"]
while not client.get_redelivery()["has_ended"]: time.sleep(0.1)
result = [changed["description"], client.get_endpoint(endpoint)["max_per_second"], attempts, found > 0]
client.delete_endpoint(endpoint)
result += [endpoint in [each["id"] for each in client.endpoints()]]`
    const hook = `${host.origin}/to/python-endpoint`
    expect(await python(lines, { image, hook })).toEqual(['Search', 5, [200], true, false])
  })

  it('has a method for every endpoint that needs an API key', async () => {
    const { paths } = (await (await fetch(`${serviceUrl}/openapi.json`)).json()) as { paths: Record<string, object> }
    const source = readFileSync('src/client/python/garment_tagging/__init__.py', 'utf8')
      .replaceAll('_pages("', '_data("GET", "')
      .replaceAll(/f(".*?)\{quote\(.*?\)\}/g, '$1{id}')
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `"${method.toUpperCase()}", "${path}"`),
    )
    const isPicture = /"\/garment-tagging\/(annotated|copy|cutout|original|upright)\//
    const called = documented.filter((endpoint) => endpoint.includes('/garment-tagging/') && !isPicture.test(endpoint))
    const missing = called.filter((endpoint) => !source.includes(endpoint.replace('/garment-tagging/', '')))
    expect([called.length > 20, missing]).toEqual([true, []])
  })

  it('sends a test event, whose signature it verifies', async () => {
    const hook = `${host.origin}/to/python-test`
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const sending = `client.put_webhook(given["hook"], given["secret"])
result = client.send_test_event("tagging.failed")["status"]`
    expect(await python(sending, { hook, secret })).toBe('delivered')
    const [webhook] = host.received('python-test')
    const verifying = `result = []
for body, secret in [(given["body"], given["secret"]), (given["body"], ["another", given["secret"]]), (given["body"] + " ", given["secret"])]:
    try: result.append(verify_webhook(body.encode(), given["headers"], secret)["event"])
    except GarmentTaggingError as error: result.append(error.code)
try: verify_webhook(given["body"].encode(), given["headers"], given["secret"], now=0)
except GarmentTaggingError as error: result.append(error.errors[0])`
    expect(await python(verifying, { body: webhook?.body, headers: webhook?.headers, secret })).toEqual([
      'tagging.failed',
      'tagging.failed',
      'webhook_not_genuine',
      'It is too old or from the future.',
    ])
  })

  it.each([
    ['a wrong key', { api_key: 'gt_wrong' }, 'unauthorized', 401],
    ['a service that does not run', { url: 'http://localhost:9' }, 'network', 0],
  ])('raises an error with a code for %s', async (_, wrong, code, status) => {
    const lines = `try: client.query("1")
except GarmentTaggingError as error: result = [error.code, error.status]`
    expect(await python(lines, { connection: { ...connection, ...wrong, max_retries: 0 } })).toEqual([code, status])
  })

  it.each([
    ['url', { url: null }],
    ['url', { url: 'localhost:9341' }],
    ['api_key', { api_key: 'gt_…' }],
    ['domain', { domain: 'ann example' }],
  ])('refuses a wrong %s at once: %j', async (name, wrong) => {
    const lines = `try: GarmentTagging(**{**given["right"], **given["wrong"]})
except GarmentTaggingError as error: result = [error.code, error.errors]`
    const result = await python(lines, { right: connection, wrong })
    expect(result).toEqual(['configuration', [expect.stringMatching(`^${name} must `)]])
  })

  it('gives up after its limit of time when nothing answers', async () => {
    const lines = `import time
pauses, sleep = [], time.sleep
time.sleep = lambda seconds: (pauses.append(seconds), sleep(seconds))
client.max_unanswered = 1.5
try: client.query("1")
except GarmentTaggingError as error: result = [error.code, len(pauses)]`
    expect(await python(lines, { connection: { ...connection, url: 'http://localhost:9' } })).toEqual(['network', 1])
  })

  it('repeats after 503 what may be handled twice, and nothing else', async () => {
    const requests: (string | undefined)[] = []
    const busy = await serve((request, response) => {
      requests.push(request.method)
      response.writeHead(503, { 'Retry-After': '0' }).end('{"status":false,"error":[],"message":"Busy"}')
    })
    const lines = `result = []
client.max_retries = 1
for call in [lambda: client.query("1"), lambda: client.redeliver("1")]:
    try: call()
    except GarmentTaggingError as error: result.append(error.status)`
    expect(await python(lines, { connection: { ...connection, url: busy.origin } })).toEqual([503, 503])
    expect(requests).toEqual(['GET', 'GET', 'POST'])
    busy.close()
  })

  it('waits as long as a proxy says, in seconds or by date', async () => {
    const after = ['7', new Date(Date.now() + 60_000).toUTCString(), 'soon']
    const proxy = await serve((_, response) => {
      response.writeHead(503, { 'Retry-After': after.shift() ?? '0' }).end('<h1>Service Unavailable</h1>')
    })
    const lines = `import time
result, time.sleep, client.max_retries = [], lambda seconds: result.append(seconds), 3
try: client.query("1")
except GarmentTaggingError as error: result.append([error.code, error.status, error.retry_after])`
    const [seconds, byDate, unreadable, error] = (await python(lines, {
      connection: { ...connection, url: proxy.origin },
    })) as [number, number, number, unknown]
    expect([seconds, error]).toEqual([7, ['unexpected_response', 503, 0]])
    expect(byDate).toBeGreaterThan(1)
    expect(byDate).toBeLessThanOrEqual(60)
    // The third pause without a readable header is 4 s, and up to a fifth longer.
    expect(unreadable).toBeGreaterThanOrEqual(4)
    expect(unreadable).toBeLessThanOrEqual(4.8)
    proxy.close()
  })

  it('repeats a request whose answer is cut off, with the length that it has', async () => {
    const answer = JSON.stringify({ status: true, data: { uuid: '1' }, error: [], message: 'success!' })
    let requests = 0
    const server = await serve((request, response) => {
      response.writeHead(200, { 'Content-Length': answer.length, Connection: 'close' })
      // `end` on the socket sends a FIN, as a proxy does that gives up.
      if (requests++ === 0) response.write(answer.slice(0, 20), () => request.socket.end())
      else response.end(answer)
    })
    const lines = `import time
time.sleep = lambda seconds: None
result = client.query("1")`
    expect(await python(lines, { connection: { ...connection, url: server.origin } })).toEqual({ uuid: '1' })
    expect(requests).toBe(2)
    server.close()
  })

  it('waits for a garment until its time is over, through polls that fail', async () => {
    const failures = await serve((_, response) => response.writeHead(500).end('A page'))
    const silent = await serve(() => {})
    const lines = `result, client.timeout = [], 3600
for origin in given["origins"]:
    client.url = origin
    try: client.wait("1", 1.5)
    except GarmentTaggingError as error: result.append(error.errors[1])`
    const origins = [failures.origin, silent.origin]
    expect(await python(lines, { origins })).toEqual([
      expect.stringContaining('The last poll failed: HTTP 500'),
      expect.stringContaining('The last poll failed: Timeout'),
    ])
    for (const server of [failures, silent]) server.close()
  })

  it.each([200, 400])('raises an error with a code for an answer with status %i that breaks off', async (status) => {
    const broken = await serve((_, response) => {
      response.writeHead(status).write('{"status":', () => response.destroy())
    })
    const lines = `try: client.query("1")
except GarmentTaggingError as error: result = [error.code, error.status]`
    const options = { ...connection, url: broken.origin, max_retries: 0 }
    expect(await python(lines, { connection: options })).toEqual(['network', 0])
    broken.close()
  })

  it('follows no redirect, and takes no page for an answer', async () => {
    const other = await serve((request, response) => {
      response.writeHead(request.url?.startsWith('/moved') === true ? 302 : 200, { Location: serviceUrl }).end('A page')
    })
    const lines = `result = []
for path in ["/moved", "/page"]:
    client.url = given["origin"] + path
    try: client.query("1")
    except GarmentTaggingError as error: result.append([error.code, error.status])`
    expect(await python(lines, { origin: other.origin })).toEqual([
      ['redirect', 302],
      ['unexpected_response', 200],
    ])
    other.close()
  })
})
