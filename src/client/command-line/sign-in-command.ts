import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { hostname } from 'node:os'
import { parseArgs } from 'node:util'
import { type Command, type Context, tell, UsageError } from './command.ts'
import { createClient } from '../create-client.ts'
import { GarmentTaggingError } from '../connection.ts'
import type { Tenant } from '../types.ts'
import { configPath, readConnection, tellRetry, writeConnection } from './connect.ts'

const silent = new Writable({ write: (_chunk, _encoding, done) => done() })

/** Prompts on the terminal. Throws a `UsageError` that names the option without a terminal or an answer. */
async function ask(question: string, option: string, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`Give ${option}.`)
  const answer = (await readAnswer(process.stderr, question, signal)).trim()
  if (answer === '') throw new UsageError(`Give ${option}.`)
  return answer
}

/** Reads the password from GARMENT_TAGGING_PASSWORD, the terminal or standard input. Other users can see arguments. */
async function askPassword(signal: AbortSignal): Promise<string> {
  const preset = process.env['GARMENT_TAGGING_PASSWORD']
  if (preset) return preset
  if (process.stdin.isTTY) {
    process.stderr.write('Password: ')
    const password = await readAnswer(silent, '', signal)
    process.stderr.write('\n')
    return password
  }
  const password = await readAnswer(silent, '', signal)
  if (password === '') throw new UsageError('Give the password on the standard input or in GARMENT_TAGGING_PASSWORD.')
  return password
}

async function readAnswer(output: NodeJS.WritableStream, question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY })
  // In raw mode the terminal does not send SIGINT itself.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  // If the input ends, the answer is empty.
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  try {
    return await Promise.race([terminal.question(question, { signal }), ended])
  } finally {
    terminal.close()
  }
}

interface Account {
  readonly url: string
  readonly email: string
  readonly password: string
  /** Domain of a new tenant, if the account has no tenant. */
  readonly domain: string | undefined
}

/** Signs in and stores an API key for this machine. Revokes the key of the last sign-in. */
async function openTenant({ url, email, password, domain }: Account, signal: AbortSignal): Promise<void> {
  const shared = { url, maxRetries: 1, onRetry: tellRetry }
  const { token, user } = await createClient(shared).signIn({ email, password }, { signal })
  const owner = createClient({ ...shared, token })
  const tenant = await owner.getTenant({ signal }).catch(async (error: unknown) => {
    if (!(error instanceof GarmentTaggingError) || error.status !== 404) throw error
    if (domain === undefined) throw new UsageError('The account has no tenant yet. Give --domain to create it.')
    return await owner.createTenant({ name: user.name, domain }, { signal })
  })
  checkDomain(tenant, domain)
  const path = configPath(process.env)
  const last = readConnection(path)
  if (last !== null && last.url === url && last.domain === tenant.domain)
    await owner.revokeApiKey(last.keyId, { signal }).catch(ignoreMissing)
  const { id, api_key } = await owner.createApiKey({ name: `Command line on ${hostname()}` }, { signal })
  writeConnection(path, { url, domain: tenant.domain, apiKey: api_key, keyId: id })
  tell(`Signed in as ${user.email}, tenant ${tenant.domain}. The API key is in ${path}.`)
}

function checkDomain(tenant: Tenant, domain: string | undefined): void {
  if (domain !== undefined && domain.toLowerCase() !== tenant.domain)
    throw new Error(`The account has the tenant ${tenant.domain} already, and can have only one.`)
}

/** Ignores a key that was already revoked in the dashboard. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof GarmentTaggingError) || error.status !== 404) throw error
}

/** Parses the service's URL, before a password is sent there. */
function parseServiceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new UsageError('--url must be the URL of the service, such as https://tagging.example.com.')
  if (url.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname))
    tell(`Warning: ${url.origin} is not encrypted; use https.`)
  return url.origin
}

const help = `Usage: garment-tagging sign-in --url URL --email EMAIL [--domain DOMAIN]

Creates an API key for this machine and stores it in a file that only you can read. The account's
password and access token are not stored. Signing in again replaces the key.

  --url URL        URL of the service; by default that of the last sign-in
  --email EMAIL    the command asks for it if it is missing
  --domain DOMAIN  creates the tenant with this domain if the account has none

The command asks for the password, unless it is in GARMENT_TAGGING_PASSWORD or on standard input.`

async function run(args: string[], { signal }: Context): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { url: text, email: text, domain: text } })
  const address = values.url ?? readConnection(configPath(process.env))?.url
  if (address === undefined) throw new UsageError('Give --url.')
  const url = parseServiceUrl(address)
  const email = values.email ?? (await ask('Email: ', '--email', signal))
  await openTenant({ url, email, password: await askPassword(signal), domain: values.domain }, signal)
  return 0
}

export const signIn: Command = { summary: 'store an API key for this machine', help, run }
