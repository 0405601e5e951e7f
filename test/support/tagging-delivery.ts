import { configEndpointId } from '../../src/platform/db/schema.ts'

/** Columns of a stored delivery: a garment's tagging, sent to the endpoint of `/webhook/config`. */
export const taggingDelivery = { kind: 'tagging', endpointId: configEndpointId } as const
