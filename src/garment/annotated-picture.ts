export const picturePath = (tenantId: string, pictureId: string) =>
  `/garment-tagging/annotated/${tenantId}/${pictureId}`

/** The path of its small copy, for lists. */
export const thumbnailPath = (tenantId: string, pictureId: string) => `${picturePath(tenantId, pictureId)}/thumbnail`

/** The prefix of the keys of a tenant's pictures, by which deleting the tenant finds them. */
export const tenantPicturesPrefix = (tenantId: string) => `annotated/${tenantId}/`

export const pictureKey = (tenantId: string, pictureId: string) => `${tenantPicturesPrefix(tenantId)}${pictureId}`

/** No id of a picture has a full stop, so that nothing else is found by this key. */
export const thumbnailKey = (tenantId: string, pictureId: string) => `${pictureKey(tenantId, pictureId)}.small`

/** Of the picture and of its small copy, there or not. */
export const pictureKeys = (tenantId: string, pictureId: string) => [
  pictureKey(tenantId, pictureId),
  thumbnailKey(tenantId, pictureId),
]
