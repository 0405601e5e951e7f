import type { DeliveryKind } from '../../webhook/delivery/conditions.ts'

/** In the query and not in the path, because a uuid may contain slashes and `..`. */
export const garmentPath = (uuid: string) => `/dashboard/garment?uuid=${encodeURIComponent(uuid)}`

/** The page of the delivery of a garment's tagging, or of its last correction. */
export const deliveryPath = (uuid: string, kind: DeliveryKind = 'tagging') =>
  `/dashboard/delivery?uuid=${encodeURIComponent(uuid)}${kind === 'tagging' ? '' : `&kind=${kind}`}`
