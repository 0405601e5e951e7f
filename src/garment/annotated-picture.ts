export const picturePath = (tenantId: string, pictureId: string) =>
  `/garment-tagging/annotated/${tenantId}/${pictureId}`

/** Of the keys of all pictures of a tenant, so that deleting the tenant finds them. */
export const tenantPicturesPrefix = (tenantId: string) => `annotated/${tenantId}/`

export const pictureKey = (tenantId: string, pictureId: string) => `${tenantPicturesPrefix(tenantId)}${pictureId}`
