/**
 * Every event that endpoints are sent, once. The API's schemas and documentation, the dashboard's checkboxes, test
 * events and the types of the client are made from it.
 */
export const events = {
  'tagging.completed': {
    summary: 'A garment was tagged',
    key: 'tagging',
    title: 'Delivery of',
    isDefault: true,
    body: 'result',
    sample: {},
  },
  'tagging.failed': {
    summary: 'A garment could not be tagged',
    key: 'tagging',
    title: 'Delivery of',
    isDefault: true,
    body: 'failure',
    sample: {},
  },
  'tagging.corrected': {
    summary: 'A person corrected or confirmed values',
    description:
      'Only for endpoints that ask for it, by their `events` or by `PUT /garment-tagging/webhook/events`. Sent after each ' +
      'correction, confirmation or change of attributes, one for each garment of a CSV too.',
    key: 'correction',
    title: 'Delivery of the correction of',
    isDefault: false,
    body: 'result',
    sample: { corrected: ['Colour'] },
  },
  'garment.deleted': {
    summary: 'A garment was deleted',
    description:
      'Only for endpoints that ask for it by their `events`. Sent when a garment is deleted by a call or in the dashboard, ' +
      'not when its retention ends.',
    key: 'deletion',
    title: 'Delivery of the deletion of',
    isDefault: false,
    body: 'uuid',
    sample: {},
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
export const defaultEvents = eventNames.filter((name) => events[name].isDefault)

/** An event of a kind; of `tagging` the first one. */
export const eventOfKind = (kind: DeliveryKind) =>
  events[eventNames.find((name) => events[name].key === kind) ?? 'tagging.completed']

/** The events of which there is a sample. */
export const sampleEvents = ['webhook.test', ...eventNames] as const
