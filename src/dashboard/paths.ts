import { firstEndpoint } from '../platform/db/schema.ts'
import type { DeliveryKind } from '../events/catalogue.ts'
import { type DeliveryRow, kindOf } from '../events/delivery.ts'
import { withQuery } from './parts/list-parts.tsx'

/** The uuid is in the query and not in the path, because it may contain slashes and `..`. */
export const garmentPath = (uuid: string, list: Readonly<Record<string, string>> = {}) =>
  withQuery('/dashboard/garment', { uuid, ...list })

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

/** A sheet of labels, to be printed. */
export const labelsPath = `${garmentsPath}/labels`

/** What was deleted in the dashboard. */
export const binPath = '/dashboard/bin'

export const binRestorePath = `${binPath}/restore`

export const binErasurePath = `${binPath}/erase`

/** Tags a failed garment again. */
export const retryPath = '/dashboard/garment/retry'

export const retryWithFilePath = `${retryPath}/file`

export const deliveriesPath = '/dashboard/deliveries'

/** The page of the delivery of a garment's tagging, or of its last correction. */
export const deliveryPath = (uuid: string, kind: DeliveryKind = 'tagging', endpoint = firstEndpoint) =>
  withQuery('/dashboard/delivery', {
    uuid,
    kind: kind === 'tagging' ? undefined : kind,
    endpoint: endpoint === firstEndpoint ? undefined : endpoint,
  })

export const pathOfDelivery = (row: DeliveryRow) => deliveryPath(row.garmentUuid, kindOf(row), row.endpoint)

export const webhookPath = '/dashboard/webhook'

export const endpointPath = (id: string) => `${webhookPath}/endpoint?id=${encodeURIComponent(id)}`

export const accuracyPath = '/dashboard/accuracy'

export const reviewSection = '/dashboard/review'

export const nextReviewPath = `${reviewSection}/next`

/** The number of garments left to review, as text. */
export const reviewCountPath = `${reviewSection}/count`

export const reviewedAttributesPath = `${reviewSection}/attributes`

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

export const auditPath = '/dashboard/audit'

export const teamPath = '/dashboard/team'

export const exportPath = '/dashboard/export'

export const exportFilePath = `${exportPath}/file`

export const exportDefaultsPath = `${exportPath}/defaults`
