const tagging = { key: 'tagging', title: 'Delivery of', sample: {} } as const

const account = {
  description:
    "Of the account. Only for endpoints after a tenant's first one, and only if an owner asks for it in the dashboard.",
  key: 'account',
  title: 'Delivery of',
} as const

const domain = 'shop.example.com'

const failing = {
  domain,
  endpoint: { id: 'first', host: 'shop.example.com', description: '' },
  failing_since: '2026-11-23T11:00:00.000Z',
}

const apiKey = {
  domain,
  api_key: { id: '01890a5d-ac96-774b-bcce-b302099a8059', name: 'shop', prefix: 'gt_4fTq9X' },
  by: 'Ann',
}

/**
 * Every event that endpoints are sent, once. The API's schemas and documentation, the dashboard's checkboxes, test
 * events and the types of the client are made from it.
 */
export const events = {
  'tagging.completed': {
    summary: 'A garment was tagged',
    ...tagging,
    body: 'result',
  },
  'tagging.failed': {
    summary: 'A garment could not be tagged',
    ...tagging,
    body: 'failure',
  },
  'tagging.corrected': {
    summary: 'A person corrected or confirmed values',
    description:
      'Only for endpoints that ask for it, by their `events` or by `PUT /garment-tagging/webhook/events`. Sent after each ' +
      'correction, confirmation or change of attributes, one for each garment of a CSV too.',
    key: 'correction',
    title: 'Delivery of the correction of',
    body: 'result',
    sample: { corrected: ['Colour'] },
  },
  'garment.reviewed': {
    summary: 'A person reviewed a garment',
    description:
      'Only for endpoints that ask for it by their `events`. Sent when somebody has saved a garment in the dashboard ' +
      'review, with its values as they are since then.',
    key: 'review',
    title: 'Delivery of the review of',
    body: 'result',
    sample: {},
  },
  'garment.stage_changed': {
    summary: 'The stage of a garment was changed',
    description:
      'Only for endpoints that ask for it by their `events`. Sent when a garment becomes a draft, ready, listed, sold or ' +
      'withdrawn; `stage` is absent for a draft.',
    key: 'stage',
    title: 'Delivery of the stage of',
    body: 'result',
    sample: { stage: 'sold' },
  },
  'garment.deleted': {
    summary: 'A garment was deleted',
    description:
      'Only for endpoints that ask for it by their `events`. Sent when a garment is deleted by a call or in the dashboard, ' +
      'not when its retention ends.',
    key: 'deletion',
    title: 'Delivery of the deletion of',
    body: 'uuid',
    sample: {},
  },
  'endpoint.failing': {
    summary: 'A webhook endpoint has been failing for an hour',
    ...account,
    body: 'failing',
    sample: failing,
  },
  'endpoint.disabled': {
    summary: 'A webhook endpoint was switched off by the service',
    ...account,
    body: 'disabled',
    sample: {
      ...failing,
      reason: 'Switched off by the service: every delivery since 2026-11-18T12:00:00.000Z has failed',
    },
  },
  'quota.nearly_reached': {
    summary: 'Nine tenths of a quota are used',
    ...account,
    body: 'quotas',
    sample: { domain, quotas: [{ name: 'garments', used: 180_000, limit: 200_000 }] },
  },
  'api_key.created': {
    summary: 'An API key was created',
    ...account,
    body: 'apiKey',
    sample: apiKey,
  },
  'api_key.revoked': {
    summary: 'An API key was revoked',
    ...account,
    body: 'apiKey',
    sample: apiKey,
  },
} as const

export type EventName = keyof typeof events

/**
 * What a delivery is about: a garment has one delivery of each to each endpoint. Those of `tagging` replace each
 * other.
 */
export type DeliveryKind = (typeof events)[EventName]['key']

const isEvent = (name: string): name is EventName => Object.hasOwn(events, name)

export const eventNames = Object.keys(events).filter(isEvent)

export const deliveryKinds: readonly DeliveryKind[] = [...new Set(eventNames.map((name) => events[name].key))]

/** Those that an endpoint is sent that names none. */
export const defaultEvents = eventNames.filter((name) => events[name].key === 'tagging')

/** An event of a kind; for `tagging` the first one. */
export const eventOfKind = (kind: DeliveryKind): EventName =>
  eventNames.find((name) => events[name].key === kind) ?? 'tagging.completed'

/** Whether it is sent without what is known of the garment, which may be gone by then. */
export const isOfUuidOnly = (event: EventName) => events[event].body === 'uuid'

/** The events of which there is a sample. */
export const sampleEvents = ['webhook.test', ...eventNames] as const

/** Whether one of these says what happens to the account, which only its owners may ask for. */
export const areOfAccount = (names: readonly string[]) =>
  names.some((name) => isEvent(name) && events[name].key === 'account')
