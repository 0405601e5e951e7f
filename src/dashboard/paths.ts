import { configEndpointId } from '../platform/db/schema.ts'
import type { DeliveryKind } from '../events/catalogue.ts'
import type { DeliveryRow } from '../events/delivery.ts'
import { withQuery } from './parts/list-parts.tsx'

/** The uuid is in the query string, because it may contain slashes and `..`. */
export const garmentPath = (uuid: string, list: Readonly<Record<string, string>> = {}) =>
  withQuery('/dashboard/garment', { uuid, ...list })

export const buildPath = '/dashboard/build'

export const garmentsPath = '/dashboard/garments'

export const unpricedPath = `${garmentsPath}?unpriced=yes`

export const garmentFiltersPath = `${garmentsPath}/filters`

export const garmentCountPath = `${garmentsPath}/count`

export const garmentsDeletionPath = `${garmentsPath}/delete`

export const garmentCellsPath = `${garmentsPath}/cells`

export const savedFiltersPath = `${garmentsPath}/saved`

export const savedFilterRemovalPath = `${savedFiltersPath}/remove`

export const labelsPath = `${garmentsPath}/labels`

export const blankLabelsPath = `${labelsPath}/blank`

export const numbersPath = `${garmentsPath}/numbers`

export const binPath = '/dashboard/bin'

export const binThumbnailPath = `${binPath}/thumbnail`
export const binRestorePath = `${binPath}/restore`

export const binErasurePath = `${binPath}/erase`

export const retryPath = '/dashboard/garment/retry'

export const retryWithFilePath = `${retryPath}/file`

export const cutoutSwitchPath = '/dashboard/garment/pictures/cutout'

export const splitPath = '/dashboard/garment/split'

export const mergeSelectedPath = '/dashboard/garments/merge'
export const mergePath = '/dashboard/garment/merge'

export const pictureAdditionPath = '/dashboard/garment/pictures/add'

export const deliveriesPath = '/dashboard/deliveries'

/** Page of a delivery, by default that of the tagging result to the first endpoint. */
export const deliveryPath = (uuid: string, kind: DeliveryKind = 'tagging', endpoint = configEndpointId) =>
  withQuery('/dashboard/delivery', {
    uuid,
    kind: kind === 'tagging' ? undefined : kind,
    endpoint: endpoint === configEndpointId ? undefined : endpoint,
  })

export const pathOfDelivery = (row: DeliveryRow) => deliveryPath(row.garmentUuid, row.kind, row.endpointId)

export const webhookPath = '/dashboard/webhook'

export const endpointPath = (id: string) => `${webhookPath}/endpoint?id=${encodeURIComponent(id)}`

export const accuracyPath = '/dashboard/accuracy'

export const reviewSection = '/dashboard/review'

export const nextReviewPath = `${reviewSection}/next`

export const reviewCountPath = `${reviewSection}/count`

export const reviewedAttributesPath = `${reviewSection}/attributes`

export const editPath = '/dashboard/edit'

export const studioPhotographPath = '/dashboard/tenant/studios/photograph'

export const exportFilesPath = '/dashboard/export/columns'

export const exportFilesRemovalPath = `${exportFilesPath}/remove`

/** Lists what sellers copy to Vinted by hand. */
export const vintedPath = '/dashboard/export/vinted'

export const importsPath = '/dashboard/imports'

/**
 * Page of an import. Not below `importsPath`, because a parameter beside fixed names makes the router fall back from
 * one regular expression to a slow search for all routes.
 */
export const importPath = (id: string) => `/dashboard/import/${id}`

export const importUndoPath = (id: string) => `${importPath(id)}/undo`

export const importsDeletionPath = `${importsPath}/delete`

export const importFilePath = `${importsPath}/file`

export const importTemplatePath = `${importsPath}/template.csv`

export const mailResetPath = '/dashboard/recover/email'
export const recoverPath = '/dashboard/recover'

export const auditPath = '/dashboard/audit'

export const teamPath = '/dashboard/team'

export const exportPath = '/dashboard/export'

export const exportFilePath = `${exportPath}/file`

/** Sends a ZIP file with the pictures of the garments that are selected in the list. */
export const selectedPicturesPath = `${exportFilePath}?selected=yes`

export const exportDefaultsPath = `${exportPath}/defaults`
