import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Client, createClient } from '../create-client.ts'
import { GarmentTaggingError } from '../connection.ts'
import { tell, UsageError } from './command.ts'

/** The connection that `sign-in` stores. Its key gives access to one tenant's garments and webhooks only. */
export interface StoredConnection {
  readonly url: string
  readonly domain: string
  readonly apiKey: string
  /** Identifies the key, so that the next sign-in can revoke it. */
  readonly keyId: string
}

export function configPath(env: NodeJS.ProcessEnv): string {
  const path = env['GARMENT_TAGGING_CONFIG']
  if (path !== undefined && path !== '') return path
  const base = env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(homedir(), '.config')
  return join(base, 'garment-tagging', 'config.json')
}

export function readConnection(path: string): StoredConnection | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return null
  }
  const value = parse(text)
  if (value === null) throw new Error(`${path} is damaged. Delete it and sign in again.`)
  return value
}

function parse(text: string): StoredConnection | null {
  try {
    const { url, domain, apiKey, keyId } = JSON.parse(text) as Record<string, unknown>
    const isText = (value: unknown) => typeof value === 'string'
    return isText(url) && isText(domain) && isText(apiKey) && isText(keyId)
      ? ({ url, domain, apiKey, keyId } as StoredConnection)
      : null
  } catch {
    return null
  }
}

/** Replaces the stored connection atomically. Only the user can read the file. */
export function writeConnection(path: string, connection: StoredConnection): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, path)
}

/** Creates a client for the tenant in the environment variables, or for the last signed-in tenant. */
export function connect(onRetry = tellRetry): Client {
  const { GARMENT_TAGGING_URL: url, GARMENT_TAGGING_API_KEY: apiKey, GARMENT_TAGGING_DOMAIN: domain } = process.env
  if (url && apiKey && domain) return connectWithVariables({ url, apiKey, domain, onRetry })
  rejectPartialVariables(process.env)
  const stored = readConnection(configPath(process.env))
  if (stored === null)
    throw new Error(
      'Not signed in. Run "garment-tagging sign-in", or set GARMENT_TAGGING_URL, GARMENT_TAGGING_API_KEY and ' +
        'GARMENT_TAGGING_DOMAIN.',
    )
  return createClient({ url: stored.url, apiKey: stored.apiKey, domain: stored.domain, onRetry })
}

const variables = { url: 'GARMENT_TAGGING_URL', apiKey: 'GARMENT_TAGGING_API_KEY', domain: 'GARMENT_TAGGING_DOMAIN' }

/** Throws if only some variables are set, because the last sign-in may belong to another account. */
function rejectPartialVariables(env: NodeJS.ProcessEnv): void {
  const names = Object.values(variables)
  const missing = names.filter((name) => !env[name])
  if (missing.length < names.length) throw new UsageError(`Set ${missing.join(' and ')}, too.`)
}

function connectWithVariables(options: Parameters<typeof createClient>[0]): Client {
  try {
    return createClient(options)
  } catch (error) {
    if (!(error instanceof GarmentTaggingError)) throw error
    const problem = error.messages.join(' ')
    throw new UsageError(
      problem.replace(/^(url|apiKey|domain) /, (_, name: keyof typeof variables) => `${variables[name]} `),
    )
  }
}

export const tellRetry = (error: GarmentTaggingError, waitMs: number): void => tell(describeRetry(error, waitMs))

export function describeRetry({ status, message }: GarmentTaggingError, waitMs: number): string {
  const seconds = `${Math.ceil(waitMs / 1000)} s`
  return status === 429
    ? `Rate limit: continuing in ${seconds}`
    : `${message.replace(/\.?$/, '.')} Trying again in ${seconds}`
}
