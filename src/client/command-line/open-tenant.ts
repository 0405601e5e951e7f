import { hostname } from 'node:os'
import { createClient } from '../create-client.ts'
import { GarmentTaggingError } from '../error.ts'
import type { Tenant } from '../types.ts'
import { tell, UsageError } from './command.ts'
import { tellRetry } from './connect.ts'
import { configPath, readConnection, writeConnection } from './stored-connection.ts'

interface Account {
  readonly url: string
  readonly email: string
  readonly password: string
  /** Creates the tenant with this domain if the account has none. */
  readonly domain: string | undefined
}

/** Signs in, creates an API key for this machine and stores it. The key of the last sign-in is revoked. */
export async function openTenant({ url, email, password, domain }: Account, signal: AbortSignal): Promise<void> {
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
export function serviceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new UsageError('--url must be the address of the service, such as https://tagging.example.com.')
  if (url.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname))
    tell(`Warning: ${url.origin} is not encrypted; use https.`)
  return url.origin
}
