import { createClient, type Client } from '../create-client.ts'
import type { GarmentTaggingError } from '../error.ts'
import { tell, UsageError } from './command.ts'
import { configPath, readConnection } from './stored-connection.ts'

interface ConnectOptions {
  readonly maxRetries?: number
  readonly onRetry?: (error: GarmentTaggingError, waitMs: number) => void
}

/** A client for the tenant of the environment's variables, or else of the last sign-in. */
export function connect({ maxRetries = 3, onRetry = tellRetry }: ConnectOptions = {}): Client {
  const { GARMENT_TAGGING_URL: url, GARMENT_TAGGING_API_KEY: apiKey, GARMENT_TAGGING_DOMAIN: domain } = process.env
  if (url && apiKey && domain) return createClient({ url, apiKey, domain, maxRetries, onRetry })
  refusePart(process.env)
  const stored = readConnection(configPath(process.env))
  if (stored === null)
    throw new Error(
      'Not signed in. Run "garment-tagging sign-in" or "garment-tagging sign-up", or set GARMENT_TAGGING_URL, ' +
        'GARMENT_TAGGING_API_KEY and GARMENT_TAGGING_DOMAIN.',
    )
  return createClient({ url: stored.url, apiKey: stored.apiKey, domain: stored.domain, maxRetries, onRetry })
}

const variables = ['GARMENT_TAGGING_URL', 'GARMENT_TAGGING_API_KEY', 'GARMENT_TAGGING_DOMAIN']

/** The last sign-in may be of another account than the variables that are set. */
function refusePart(env: NodeJS.ProcessEnv): void {
  const missing = variables.filter((name) => !env[name])
  if (missing.length < variables.length) throw new UsageError(`Set ${missing.join(' and ')}, too.`)
}

export const tellRetry = (error: GarmentTaggingError, waitMs: number) => tell(describeRetry(error, waitMs))

export function describeRetry({ status, message }: GarmentTaggingError, waitMs: number): string {
  const seconds = `${Math.ceil(waitMs / 1000)} s`
  return status === 429
    ? `Rate limit: continuing in ${seconds}`
    : `${message.replace(/\.?$/, '.')} Trying again in ${seconds}`
}
