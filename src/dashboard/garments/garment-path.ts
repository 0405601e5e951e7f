/** In the query and not in the path, because a uuid may contain slashes and `..`. */
export const garmentPath = (uuid: string) => `/dashboard/garment?uuid=${encodeURIComponent(uuid)}`

export const deliveryPath = (uuid: string) => `/dashboard/delivery?uuid=${encodeURIComponent(uuid)}`
