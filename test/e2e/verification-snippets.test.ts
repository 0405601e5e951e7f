import { spawnSync } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, it } from 'vitest'

const snippets = resolve('docs/snippets')
const folder = mkdtempSync(join(tmpdir(), 'garment-tagging-snippets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Delivery {
  readonly secret: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Programs that read a delivery as JSON from a file and print whether it is genuine. */
const go = `package webhook
import ("encoding/json"; "fmt"; "net/http"; "os"; "testing")
func TestDelivery(t *testing.T) {
	var delivery struct { Secret, Body string; Headers map[string]string }
	data, _ := os.ReadFile(os.Getenv("DELIVERY"))
	json.Unmarshal(data, &delivery)
	header := http.Header{}
	for name, value := range delivery.Headers { header.Set(name, value) }
	fmt.Printf("\\n%v\\n", IsGenuine(delivery.Secret, []byte(delivery.Body), header))
}`

const languages = [
  {
    name: 'JavaScript',
    command: process.execPath,
    args: [
      '--input-type=module',
      '--eval',
      `import { readFileSync } from 'node:fs'
       import { isGenuine } from ${JSON.stringify(join(snippets, 'verify.js'))}
       const { secret, body, headers } = JSON.parse(readFileSync(process.env.DELIVERY, 'utf8'))
       console.log(isGenuine(secret, Buffer.from(body), headers))`,
    ],
  },
  {
    name: 'Python',
    command: 'python3',
    args: [
      '-c',
      `import json, os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, ${JSON.stringify(snippets)})
from verify import is_genuine
delivery = json.load(open(os.environ['DELIVERY'], encoding='utf8'))
print(str(is_genuine(delivery['secret'], delivery['body'].encode(), delivery['headers'])).lower())`,
    ],
  },
  {
    name: 'PHP',
    command: 'php',
    args: [
      '-r',
      `require ${JSON.stringify(join(snippets, 'verify.php'))};
       $delivery = json_decode(file_get_contents(getenv('DELIVERY')), true);
       echo json_encode(isGenuine($delivery['secret'], $delivery['body'], $delivery['headers']));`,
    ],
  },
  {
    name: 'Ruby',
    command: 'ruby',
    args: [
      '-rjson',
      '-r',
      join(snippets, 'verify.rb'),
      '-e',
      `delivery = JSON.parse(File.read(ENV['DELIVERY']))
       puts genuine?(delivery['secret'], delivery['body'], delivery['headers'])`,
    ],
  },
  { name: 'Go', command: 'go', args: ['test', '-count=1', '-run', 'TestDelivery', './...'] },
]

const isInstalled = (command: string) =>
  spawnSync(command, [command === 'go' ? 'version' : '--version'], { stdio: 'ignore' }).status === 0

const installed = languages.filter(({ command }) => isInstalled(command))

/** The last line that says it: some programs print more. */
function verdict(command: string, args: readonly string[], delivery: Delivery): string | undefined {
  const file = join(folder, `${randomUUID()}.json`)
  writeFileSync(file, JSON.stringify(delivery))
  if (command === 'go') {
    writeFileSync(join(folder, 'go.mod'), 'module webhook\n\ngo 1.19\n')
    writeFileSync(join(folder, 'verify.go'), readFileSync(join(snippets, 'verify.go')))
    writeFileSync(join(folder, 'verify_test.go'), go)
  }
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, DELIVERY: file } } as const
  const { stdout, stderr } = spawnSync(command, command === 'go' ? [...args, '-v'] : args, options)
  return /^(true|false)$/m.exec(stdout)?.[0] ?? stderr
}

const keyOf = (secret: string) =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)

function signed(secret: string, changes: { ageSeconds?: number; body?: string } = {}): Delivery {
  const body = '{"event":"tagging.completed","description":"Ein blaues T-Shirt, “schön”"}'
  const timestamp = String(Math.floor(Date.now() / 1000) - (changes.ageSeconds ?? 0))
  const hmac = createHmac('sha256', keyOf(secret)).update(`id-1.${timestamp}.${body}`).digest('base64')
  const others = `v1,${Buffer.alloc(32).toString('base64')}`
  return {
    secret,
    body: changes.body ?? body,
    headers: { 'webhook-id': 'id-1', 'webhook-timestamp': timestamp, 'webhook-signature': `${others} v1,${hmac}` },
  }
}

const whsec = `whsec_${Buffer.from('a key of thirty-two bytes, ascii').toString('base64')}`
const secrets = [whsec, whsec.replace(/=+$/, ''), 'any other text, schön']

it('the verification snippets that are tested include JavaScript', () => {
  expect(installed.map(({ name }) => name)).toEqual(expect.arrayContaining(['JavaScript']))
})

describe.each(installed)('the verification snippet in $name', ({ command, args }) => {
  it.each(secrets)('accepts a genuine delivery with the secret %s', (secret) => {
    expect(verdict(command, args, signed(secret))).toBe('true')
  })

  it.each([
    ['whose body was changed', signed('s', { body: '{"event":"tagging.failed"}' })],
    ['that is ten minutes old', signed('s', { ageSeconds: 600 })],
    ['from ten minutes ahead', signed('s', { ageSeconds: -600 })],
    ['signed with another secret', { ...signed('other'), secret: 's' }],
    ['without a signature', { ...signed('s'), headers: {} }],
    ['whose id was changed', { ...signed('s'), headers: { ...signed('s').headers, 'webhook-id': 'id-2' } }],
  ])('refuses a delivery %s', (_, delivery) => {
    expect(verdict(command, args, delivery)).toBe('false')
  })
})

describe('the verification snippet for the shell', () => {
  const check = (secret: string, body: string, signature: string) =>
    spawnSync('sh', [join(snippets, 'verify.sh')], {
      input: body,
      env: { ...process.env, SECRET: secret, SIGNATURE: signature },
    }).status

  it.each(secrets)('accepts the simple signature of a genuine body, and no other, with the secret %s', (secret) => {
    const signature = `sha256=${createHmac('sha256', keyOf(secret)).update('{"a":"ü"}').digest('hex')}`
    expect(check(secret, '{"a":"ü"}', signature)).toBe(0)
    expect(check(secret, '{"a":"u"}', signature)).toBe(1)
    expect(check('another', '{"a":"ü"}', signature)).toBe(1)
  })
})
