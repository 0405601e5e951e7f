import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { hostname } from 'node:os'
import { parseArgs } from 'node:util'
import { type Command, type Context, tell, UsageError } from './command.ts'
import { createClient } from '../create-client.ts'
import { GarmentTaggingError } from '../connection.ts'
import type { Tenant } from '../types.ts'
import { configPath, deleteConnection, readConnection, tellRetry, writeConnection } from './connect.ts'

const silent = new Writable({ write: (_chunk, _encoding, done) => done() })

/** Prompts on a terminal. Throws a `UsageError` that names the option if there is none. */
async function ask(question: string, option: string, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`Give ${option}.`)
  const answer = (await questionOn(process.stderr, question, signal)).trim()
  if (answer === '') throw new UsageError(`Give ${option}.`)
  return answer
}

/**
 * A password from GARMENT_TAGGING_PASSWORD, a terminal or the first line of the standard input. Never from an argument,
 * which other users of the machine could see.
 */
async function askPassword(signal: AbortSignal): Promise<string> {
  const preset = process.env['GARMENT_TAGGING_PASSWORD']
  if (preset) return preset
  if (process.stdin.isTTY) {
    process.stderr.write('Password: ')
    const password = await questionOn(silent, '', signal)
    process.stderr.write('\n')
    return password
  }
  const password = await questionOn(silent, '', signal)
  if (password === '') throw new UsageError('Give the password on the standard input or in GARMENT_TAGGING_PASSWORD.')
  return password
}

async function questionOn(output: NodeJS.WritableStream, question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY })
  // A terminal that reads key by key does not send the signal by itself.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  // The end of the input is an empty answer.
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
  /** Creates the tenant with this domain if the account has none. */
  readonly domain: string | undefined
}

/** Signs in, creates an API key for this machine and stores it. The key of the last sign-in is revoked. */
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

/** The key was revoked in the dashboard. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof GarmentTaggingError) || error.status !== 404) throw error
}

/** The service's address, checked before a password goes there. */
function serviceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new UsageError('--url must be the address of the service, such as https://tagging.example.com.')
  if (url.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname))
    tell(`Warning: ${url.origin} is not encrypted; use https.`)
  return url.origin
}

const help = `Usage: garment-tagging sign-in --url URL --email EMAIL [--domain DOMAIN]

Creates an API key for this machine and stores it in a file that only you can read. The account's
password and access token are not stored. Signing in again replaces the key.

  --url URL        address of the service; by default that of the last sign-in
  --email EMAIL    asked for if it is missing
  --domain DOMAIN  creates the tenant if the account has none

The password is asked for, or read from GARMENT_TAGGING_PASSWORD or the standard input.`

async function run(args: string[], { signal }: Context): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { url: text, email: text, domain: text } })
  const address = values.url ?? readConnection(configPath(process.env))?.url
  if (address === undefined) throw new UsageError('Give --url.')
  const url = serviceUrl(address)
  const email = values.email ?? (await ask('Email: ', '--email', signal))
  await openTenant({ url, email, password: await askPassword(signal), domain: values.domain }, signal)
  return 0
}

export const signIn: Command = { summary: 'store an API key for this machine', help, run }

const helpSignOut = `Usage: garment-tagging sign-out

Deletes the stored API key from this machine. To revoke it too, use the dashboard's page "API keys".`

function runSignOut(args: string[]): Promise<number> {
  parseArgs({ args, options: {} })
  const path = configPath(process.env)
  const stored = readConnection(path)
  deleteConnection(path)
  tell(
    stored === null
      ? 'Nobody is signed in.'
      : `Deleted ${path}. The key ${stored.apiKey.slice(0, 9)}… is valid until you revoke it in the dashboard.`,
  )
  return Promise.resolve(0)
}

export const signOut: Command = { summary: 'delete the stored API key', help: helpSignOut, run: runSignOut }

const helpSignUp = `Usage: garment-tagging sign-up --url URL --email EMAIL --domain DOMAIN [--name NAME]

Creates an account and its tenant, and signs in.

  --url URL        address of the service, such as https://tagging.example.com
  --email EMAIL    asked for if it is missing
  --domain DOMAIN  identifies the tenant, such as ann.example; asked for if it is missing
  --name NAME      of the account and the tenant; by default the domain
  --sign-up-code CODE
                   from the operator of the service, where it asks for one

The password, at least 8 characters, is asked for, or read from GARMENT_TAGGING_PASSWORD or the
standard input.`

async function runSignUp(args: string[], { signal }: Context): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: { url: text, email: text, domain: text, name: text, 'sign-up-code': text },
  })
  if (values.url === undefined) throw new UsageError('Give --url.')
  const url = serviceUrl(values.url)
  const email = values.email ?? (await ask('Email: ', '--email', signal))
  const domain = values.domain ?? (await ask('Domain, such as ann.example: ', '--domain', signal))
  const password = await askPassword(signal)
  const sign_up_code = values['sign-up-code']
  await createClient({ url }).signUp({ email, password, name: values.name ?? domain, sign_up_code }, { signal })
  try {
    await openTenant({ url, email, password, domain }, signal)
  } catch (error) {
    tell('The account was created. To continue, run "garment-tagging sign-in" with --domain.')
    throw error
  }
  return 0
}

export const signUp: Command = {
  summary: 'create an account and its tenant, and sign in',
  help: helpSignUp,
  run: runSignUp,
}
