import { firstEndpoint } from '../platform/db/schema.ts'
import type { DeliveryKind } from '../events/catalogue.ts'
import { type DeliveryRow, kindOf } from '../events/delivery.ts'

/** In the query and not in the path, because a uuid may contain slashes and `..`. */
const withUuid = (path: string, uuid: string) => `${path}?uuid=${encodeURIComponent(uuid)}`

/** Adds parameters to a path that has some. */
const withMore = (path: string, more: Readonly<Record<string, string>>) => {
  const others = new URLSearchParams(more).toString()
  return others === '' ? path : `${path}&${others}`
}

/** The parameters of the list that a garment is looked at from. */
type List = Readonly<Record<string, string>>

export const garmentPath = (uuid: string, list: List = {}) => withMore(withUuid('/dashboard/garment', uuid), list)

/** What a seller has to do, counted, as a part of the overview. */
export const workPath = '/dashboard/work'

/** The overview of those who connect a system. */
export const buildPath = '/dashboard/build'

export const garmentsPath = '/dashboard/garments'

export const unpricedPath = `${garmentsPath}?unpriced=yes`

/** The number of garments that a filter finds, as text. */
export const garmentCountPath = `${garmentsPath}/count`

/** Deletes those that are ticked in the list. */
export const garmentsDeletionPath = `${garmentsPath}/delete`

export const garmentDeletionPath = (uuid: string, list: List) =>
  withMore(withUuid('/dashboard/garment/delete', uuid), list)

/** A sheet of labels, to be printed. */
export const labelsPath = `${garmentsPath}/labels`

/** What was deleted in the dashboard. */
export const binPath = '/dashboard/bin'

export const binRestorePath = `${binPath}/restore`

export const binErasurePath = `${binPath}/erase`

/** Orders a garment's pictures, says what they show and removes some. */
export const picturesPath = (uuid: string, list: List) => withMore(withUuid('/dashboard/garment/pictures', uuid), list)

/** Adds pictures to a garment. */
export const addPicturesPath = (uuid: string, list: List) =>
  withMore(withUuid('/dashboard/garment/pictures/add', uuid), list)

/** Tags a failed garment again. */
export const retryPath = '/dashboard/garment/retry'

export const retryWithFilePath = `${retryPath}/file`

export const deliveriesPath = '/dashboard/deliveries'

export const endpointDeliveriesPath = (endpoint: string) => `${deliveriesPath}?endpoint=${encodeURIComponent(endpoint)}`

/** The page of the delivery of a garment's tagging, or of its last correction. */
export const deliveryPath = (uuid: string, kind: DeliveryKind = 'tagging', endpoint = firstEndpoint) => {
  const path = `${withUuid('/dashboard/delivery', uuid)}${kind === 'tagging' ? '' : `&kind=${kind}`}`
  return endpoint === firstEndpoint ? path : `${path}&endpoint=${encodeURIComponent(endpoint)}`
}

export const pathOfDelivery = (row: DeliveryRow) => deliveryPath(row.garmentUuid, kindOf(row), row.endpoint)

export const webhookPath = '/dashboard/webhook'

export const endpointPath = (id: string) => `${webhookPath}/endpoint?id=${encodeURIComponent(id)}`

export const accuracyPath = '/dashboard/accuracy'

export const reviewSection = '/dashboard/review'

export const nextReviewPath = `${reviewSection}/next`

/** The number of garments left to review, as text. */
export const reviewCountPath = `${reviewSection}/count`

export const reviewedAttributesPath = `${reviewSection}/attributes`

/** @param filter the parameters that the review goes on with */
export const reviewPath = (uuid: string, filter: Readonly<Record<string, string>> = {}) =>
  withMore(withUuid(reviewSection, uuid), filter)

export const editPath = '/dashboard/edit'

export const studioPhotographPath = '/dashboard/tenant/studios/photograph'

/** Files of a tenant's own columns. */
export const exportFilesPath = '/dashboard/export/columns'

export const exportFilesRemovalPath = `${exportFilesPath}/remove`

export const importsPath = '/dashboard/imports'

/**
 * The page of an import; its id is a uuid of our own or of our page. Not below `importsPath`: where a parameter stands
 * beside names, the router finds every route of the service by a walk instead of a single look-up.
 */
export const importPath = (id: string) => `/dashboard/import/${id}`

/** Takes back what an import has changed. */
export const importUndoPath = (id: string) => `${importPath(id)}/undo`

/** Deletes those that are ticked in the list. */
export const importsDeletionPath = `${importsPath}/delete`

export const importFilePath = `${importsPath}/file`

export const importTemplatePath = `${importsPath}/template.csv`

/** Restores the predicted value of a corrected attribute. */
export const undoPath = (uuid: string, list: List) => withMore(withUuid('/dashboard/correct/undo', uuid), list)

/** Restores the former value of a changed attribute. */
export const undoChangePath = (uuid: string, list: List) => withMore(withUuid(`${editPath}/undo`, uuid), list)

export const auditPath = '/dashboard/audit'

export const teamPath = '/dashboard/team'

export const exportPath = '/dashboard/export'

export const exportFilePath = `${exportPath}/file`

export const exportDefaultsPath = `${exportPath}/defaults`
