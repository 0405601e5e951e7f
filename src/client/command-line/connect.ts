import { createClient, type Client } from '../create-client.ts'
import { GarmentTaggingError } from '../error.ts'
import { tell, UsageError } from './command.ts'
import { configPath, readConnection } from './stored-connection.ts'

interface ConnectOptions {
  readonly onRetry?: (error: GarmentTaggingError, waitMs: number) => void
}

/** A client for the tenant of the environment's variables, or else of the last sign-in. */
export function connect({ onRetry = tellRetry }: ConnectOptions = {}): Client {
  const { GARMENT_TAGGING_URL: url, GARMENT_TAGGING_API_KEY: apiKey, GARMENT_TAGGING_DOMAIN: domain } = process.env
  if (url && apiKey && domain) return ofVariables({ url, apiKey, domain, onRetry })
  refusePart(process.env)
  const stored = readConnection(configPath(process.env))
  if (stored === null)
    throw new Error(
      'Not signed in. Run "garment-tagging sign-in" or "garment-tagging sign-up", or set GARMENT_TAGGING_URL, ' +
        'GARMENT_TAGGING_API_KEY and GARMENT_TAGGING_DOMAIN.',
    )
  return createClient({ url: stored.url, apiKey: stored.apiKey, domain: stored.domain, onRetry })
}

const variables = { url: 'GARMENT_TAGGING_URL', apiKey: 'GARMENT_TAGGING_API_KEY', domain: 'GARMENT_TAGGING_DOMAIN' }

/** The last sign-in may be of another account than the variables that are set. */
function refusePart(env: NodeJS.ProcessEnv): void {
  const names = Object.values(variables)
  const missing = names.filter((name) => !env[name])
  if (missing.length < names.length) throw new UsageError(`Set ${missing.join(' and ')}, too.`)
}

/** Says which variable is wrong, in the words of the client. */
function ofVariables(options: Parameters<typeof createClient>[0]): Client {
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

export const tellRetry = (error: GarmentTaggingError, waitMs: number) => tell(describeRetry(error, waitMs))

export function describeRetry({ status, message }: GarmentTaggingError, waitMs: number): string {
  const seconds = `${Math.ceil(waitMs / 1000)} s`
  return status === 429
    ? `Rate limit: continuing in ${seconds}`
    : `${message.replace(/\.?$/, '.')} Trying again in ${seconds}`
}
