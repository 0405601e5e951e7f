export const picturePath = (tenantId: string, pictureId: string) =>
  `/garment-tagging/annotated/${tenantId}/${pictureId}`

/** The prefix of the keys of a tenant's pictures, by which deleting the tenant finds them. */
export const tenantPicturesPrefix = (tenantId: string) => `annotated/${tenantId}/`

export const pictureKey = (tenantId: string, pictureId: string) => `${tenantPicturesPrefix(tenantId)}${pictureId}`
