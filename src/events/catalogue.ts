import type { deliveryKinds } from '../platform/db/schema.ts'

const tagging = { kind: 'tagging', title: 'Delivery of', sample: {} } as const

const account = {
  description:
    'About the account. An owner selects it in the dashboard, for any endpoint except that of `/webhook/config`.',
  kind: 'account',
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

/** Every event that endpoints can receive. Schemas, documentation, checkboxes and test events are made from it. */
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
      'Only for endpoints whose `events` contain it. Sent after each correction, confirmation or change of attributes, ' +
      'also for each garment that an imported file changes.',
    kind: 'correction',
    title: 'Delivery of the correction of',
    body: 'result',
    sample: { corrected: ['Colour'] },
  },
  'garment.reviewed': {
    summary: 'A person reviewed a garment',
    description:
      'Only for endpoints whose `events` contain it. Sent when a member has saved a garment in the dashboard review, with ' +
      'its saved values.',
    kind: 'review',
    title: 'Delivery of the review of',
    body: 'result',
    sample: {},
  },
  'garment.stage_changed': {
    summary: 'The stage of a garment was changed',
    description:
      'Only for endpoints whose `events` contain it. Sent when a garment becomes a draft, ready, listed, sold or ' +
      'withdrawn. `stage` has the new stage, and `sold` the sale of a sold garment.',
    kind: 'stage',
    title: 'Delivery of the stage of',
    body: 'result',
    sample: {
      stage: 'sold',
      sold: { price: '24.90', currency: 'EUR', at: '2026-11-29T10:30:00.000Z', channel: 'eBay' },
    },
  },
  'garment.deleted': {
    summary: 'A garment was deleted',
    description:
      'Only for endpoints whose `events` contain it. Sent when a garment is deleted by the API or in the dashboard, not ' +
      'when its retention period ends.',
    kind: 'deletion',
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

export type DeliveryKind = (typeof deliveryKinds)[number]

const isEvent = (name: string): name is EventName => Object.hasOwn(events, name)

export const eventNames = Object.keys(events).filter(isEvent)

/** Events that an endpoint receives unless it chooses others. */
export const defaultEvents = eventNames.filter((name) => events[name].kind === 'tagging')

export const eventOfKind = (kind: DeliveryKind): EventName =>
  eventNames.find((name) => events[name].kind === kind) ?? 'tagging.completed'

export const isOfUuidOnly = (event: EventName) => events[event].body === 'uuid'

export const sampleEvents = ['webhook.test', ...eventNames] as const

/** Whether any of these events is about the account. Only owners may select account events. */
export const areOfAccount = (names: readonly string[]) =>
  names.some((name) => isEvent(name) && events[name].kind === 'account')
