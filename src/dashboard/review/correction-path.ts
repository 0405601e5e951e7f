/** In the query and not in the path, because a uuid may contain slashes and `..`. */
export const correctionPath = (uuid: string) => `/dashboard/correct?uuid=${encodeURIComponent(uuid)}`
