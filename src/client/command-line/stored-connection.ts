import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** What `sign-in` stores. The key opens garments and webhooks of one tenant, not the account. */
export interface StoredConnection {
  readonly url: string
  readonly domain: string
  readonly apiKey: string
  /** For revoking the key when the next one replaces it. */
  readonly keyId: string
}

export function configPath(env: NodeJS.ProcessEnv): string {
  const given = env['GARMENT_TAGGING_CONFIG']
  if (given !== undefined && given !== '') return given
  const base = env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(homedir(), '.config')
  return join(base, 'garment-tagging', 'config.json')
}

/** Null if nobody is signed in. */
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

/** Only the user can read the file, and it is replaced atomically. */
export function writeConnection(path: string, connection: StoredConnection): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, path)
}

export const deleteConnection = (path: string) => rmSync(path, { force: true })
