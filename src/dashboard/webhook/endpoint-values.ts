import { z } from 'zod'
import { configRequest } from '../../webhook/config/config-request.ts'
import { eventNames, type EventName } from '../../events/catalogue.ts'
import { endpointRequest, type NewEndpoint } from '../../webhook/endpoint/endpoint-request.ts'
import type { Endpoint } from '../../webhook/endpoint/to-endpoint-response.ts'
import { invalidConfig } from '../../webhook/errors.ts'
import { parseFields, type FormValues } from '../form.ts'
import { parseLines, toLines } from '../name-value-lines.ts'
import { readDecimal } from '../read-decimal.ts'

/** The fields at which problems are shown. */
export const endpointFields = ['url', 'description', 'events', 'secret', 'headers', 'enabled', 'max_per_second']

export const eventField = (event: EventName) => `event.${event}`

type Options = Pick<NewEndpoint, 'description' | 'events' | 'max_per_second'>

const { description, events, max_per_second: maxPerSecond } = endpointRequest.shape
const optionsSchema = z.object({ description, events, max_per_second: maxPerSecond })

/** Shorter ones can be guessed. The API takes any, since receivers exist that have one. */
const minSecretLength = 24

const secretNotKept =
  'secret: what you had entered was not kept while you signed in; check the one shown here before you save'

/**
 * Reads the form. Throws 400 with the problems of the API, and without a secret field, which is dropped when the user
 * has to sign in again: an empty one would remove the stored secret.
 */
export function readConfigForm(values: FormValues) {
  if (values['secret'] === undefined) throw invalidConfig([secretNotKept])
  if (values['secret'] !== '' && values['secret'].trim().length < minSecretLength)
    throw invalidConfig([`secret: must have at least ${minSecretLength} characters`])
  const headers = parseLines(values['headers'] ?? '', 'headers')
  if (headers.problems.length > 0) throw invalidConfig(headers.problems)
  const { url = '', secret } = values
  return parseFields(configRequest, {
    enabled: values['enabled'] === 'on',
    url: url.trim(),
    secret: secret.trim(),
    headers: headers.values,
  })
}

/** Undefined for the short form of the overview, which leaves them as they are. */
export function readOptionsForm(values: FormValues): Options | undefined {
  if (values['has_options'] === undefined) return undefined
  const most = values['max_per_second']?.trim() ?? ''
  return parseFields(optionsSchema, {
    description: values['description']?.trim(),
    events: eventNames.filter((event) => values[eventField(event)] === 'on'),
    max_per_second: most === '' ? null : readDecimal(most),
  })
}

/** The form's values of an endpoint. */
export const toFormValues = (endpoint: Omit<Endpoint, 'id'>): FormValues => ({
  url: endpoint.url,
  description: endpoint.description,
  secret: endpoint.secret,
  headers: toLines(endpoint.headers),
  max_per_second: endpoint.max_per_second === null ? '' : String(endpoint.max_per_second),
  ...(endpoint.enabled ? { enabled: 'on' } : {}),
  ...Object.fromEntries(endpoint.events.map((event) => [eventField(event), 'on'])),
})

/** The form's values of an endpoint that is to be added. */
export const newEndpointValues = (): FormValues => ({ ...toFormValues(endpointRequest.parse({ url: '-' })), url: '' })
