import type { Actor } from '../../accounts/audit.ts'
import { firstEndpoint } from '../../platform/db/schema.ts'
import { areOfAccount } from '../../events/catalogue.ts'
import { accountEndpointProtected, invalidConfig } from '../errors.ts'

/**
 * Throws 403 if an API key asks for events of the account or changes an endpoint that has them, so that who has stolen
 * one cannot silence `api_key.created`. The dashboard shows endpoints to owners only.
 */
export function protectAccountEvents(events: readonly string[], by: Actor): void {
  if (by.kind === 'api-key' && areOfAccount(events)) throw accountEndpointProtected()
}

/** Throws 400 if the first endpoint, which an API key can always change, asks for events of the account. */
export function checkFirstEvents(endpoint: string, events: readonly string[]): void {
  if (endpoint === firstEndpoint && areOfAccount(events))
    throw invalidConfig(['events: the first endpoint has no events of the account; add another one for them'])
}
