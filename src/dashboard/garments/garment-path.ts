/** A uuid may be any text, `..` and slashes among it, so it goes into the query and not into the path. */
export const garmentPath = (uuid: string) => `/dashboard/garment?uuid=${encodeURIComponent(uuid)}`

export const deliveryPath = (uuid: string) => `/dashboard/delivery?uuid=${encodeURIComponent(uuid)}`
