import type { z } from '@hono/zod-openapi'
import type { apiKeyListSchema, createdApiKeySchema, newApiKeySchema } from '../accounts/api-keys.ts'
import type { exportQuery, exportReportSchema, exportSchema } from '../exports/export-routes.ts'
import type { garmentResultSchema, imageSchema, uploadSchema } from '../garments/garment-fields.ts'
import type { garmentsQuery, garmentsSchema } from '../garments/list/list-routes.ts'
import type * as imports from '../imports/import-fields.ts'
import type { ErrorCode } from '../platform/http/errors.ts'
import type * as merchant from '../accounts/account-fields.ts'
import type {
  passwordResetSchema,
  pauseRequest,
  pauseSchema,
  repeatDeletionsRequest,
  repeatedDeletionsSchema,
  retagRequest,
} from '../operations/operator-routes.ts'
import type { statusSchema } from '../operations/status.ts'
import type { tenantLimitsRequest, tenantLimitsSchema } from '../operations/tenant-limits.ts'
import type { correctionRequest, splitRequest } from '../garments/corrections/correction-routes.ts'
import type { numbersResponse } from '../garments/number-routes.ts'
import type { storedSchema } from '../accounts/usage-routes.ts'
import type { taxonomySchema } from '../garments/taxonomy.ts'
import type { newTenantSchema, tenantChangeSchema, tenantSchema, wholeTenantSchema } from '../accounts/tenant.ts'
import type { KnownEntry } from '../vision/attributes/attribute-catalogue.ts'
import type { PointOfMeasure } from '../vision/taxonomy/item-types.ts'
import type * as webhook from '../webhooks/webhook-fields.ts'
import type {
  configRequest,
  endpointPatch,
  endpointRequest,
  endpointSchema,
  endpointsSchema,
} from '../webhooks/webhook-fields.ts'
import type { WebhookEvent as Event } from '../webhooks/describe-events.ts'

// Types of the service's own schemas. `build-package.ts` resolves them, so that the package does not contain schemas.

export type NewMerchant = z.input<typeof merchant.newMerchantSchema>
export type Merchant = z.output<typeof merchant.merchantSchema>
export type Credentials = z.input<typeof merchant.credentialsSchema>
export type SignedIn = z.output<typeof merchant.signedInSchema>
export type PasswordChange = z.input<typeof merchant.passwordChangeSchema>

/** `settings` may contain `timezone` (IANA), `currency` (ISO 4217) and your own keys. */
export type NewTenant = Omit<z.input<typeof newTenantSchema>, 'settings'> & { settings?: Record<string, string> }
export type Tenant = z.output<typeof tenantSchema>
export type TenantWithSettings = z.output<typeof wholeTenantSchema>
export type TenantChange = Omit<z.input<typeof tenantChangeSchema>, 'settings'> & {
  settings?: Record<string, string | null>
}
/** `limit` is the tenant's quota. Uploads beyond it are rejected with 429 or 413. */
export type Usage = z.output<typeof storedSchema>
export type NewApiKey = z.input<typeof newApiKeySchema>
/** The only response that contains the key itself, as `api_key`. */
export type CreatedApiKey = z.output<typeof createdApiKeySchema>
export type ListedApiKey = z.output<typeof apiKeyListSchema>['api_keys'][number]

type RankedName = Exclude<KnownEntry, { source: unknown }>['name']

/** Values by attribute. Attributes that make no sense for an item type are absent. New keys may be added. */
export type Tag = Record<string, string | string[] | undefined> & { [Name in KnownEntry['name']]?: string } & {
  [Name in RankedName as `${Name} Alternatives`]?: string[]
} & { [Name in RankedName as `${Name} Confidence`]?: 'High' | 'Medium' | 'Low' }

/** Centimetres by measurement. Measurements that an item type does not have are absent. New keys may be added. */
export type Measurements = Record<string, number | undefined> & { [Name in PointOfMeasure as `${Name} (cm)`]?: number }

/** A union by status, so that `tag` and `measurements` need no null check once `complete` is known to be true. */
type ByStatus<T extends { status: string }> = Omit<T, 'status' | 'complete' | 'tag' | 'measurements'> &
  (
    | { status: 'complete'; complete: true; tag: Tag; measurements: Measurements }
    | { status: Exclude<T['status'], 'complete'>; complete: false; tag: null; measurements: null }
  )

type EventByStatus<T> = T extends { status: string; tag: unknown } ? ByStatus<T> : T

type ListedByStatus<T extends { status: string }> = Omit<T, 'status' | 'tag'> &
  ({ status: 'complete'; tag: Tag } | { status: Exclude<T['status'], 'complete'>; tag: null })

export type Upload = z.input<typeof uploadSchema>
export type Picture = z.input<typeof imageSchema>
/** `tag` and `measurements` are null until the garment is complete. `retry` says why another try follows. */
export type Garment = ByStatus<z.output<typeof garmentResultSchema>>
/** A value corrects or confirms an attribute. Null removes the correction. */
export type TagCorrection = { [Name in KnownEntry['name']]?: string | null | undefined }
/** Centimetres by measurement. Null removes the correction. */
export type MeasurementCorrection = { [Name in PointOfMeasure as `${Name} (cm)`]?: number | null | undefined }
export type ReservedNumbers = z.output<typeof numbersResponse>
export type Split = z.input<typeof splitRequest>
export type Correction = Omit<z.input<typeof correctionRequest>, 'tag' | 'measurements'> & {
  tag?: TagCorrection | undefined
  measurements?: MeasurementCorrection | undefined
}
export type Taxonomy = z.output<typeof taxonomySchema>
/** `from` and `to` are upload dates or times in ISO 8601. */
export type ExportFilter = Pick<z.input<typeof exportQuery>, 'from' | 'to' | 'status'>
/** `limit` is at most 1,000. `cursor` is `next_cursor` of the previous page. */
export type ExportQuery = ExportFilter & { limit?: number | undefined; cursor?: string | null | undefined }
/** Without `status`: a shop's file has complete garments only. */
export type ShopExportQuery = Omit<ExportQuery, 'status'>
export type ExportReport = z.output<typeof exportReportSchema>

/** A garment with its upload. `machine` contains the result before corrections. */
export type ExportedGarment = ByStatus<z.output<typeof exportSchema>['garments'][number]>
export type ExportPage = Omit<z.output<typeof exportSchema>, 'garments'> & { garments: ExportedGarment[] }

/** `cursor` comes from the previous page. */
export type GarmentsQuery = Partial<Omit<z.output<typeof garmentsQuery>, 'cursor'>> & {
  cursor?: string | null | undefined
}
/** With `q` or a filter, a page may be empty although further pages exist. */
export type GarmentPage = Omit<z.output<typeof garmentsSchema>, 'garments'> & {
  garments: ListedByStatus<z.output<typeof garmentsSchema>['garments'][number]>[]
}

export type StoredImport = z.output<typeof imports.storedImportSchema>
/** `status` filters the lines. `cursor` is `next_cursor` of the previous page. */
export type ImportPageQuery = Partial<Pick<z.output<typeof imports.importQuery>, 'status' | 'limit'>> & {
  cursor?: string | null | undefined
}
export type Import = z.output<typeof imports.importSchema>
export type ImportList = z.output<typeof imports.importListSchema>

export type NewWebhookConfig = z.input<typeof configRequest>
export type WebhookConfig = z.output<typeof webhook.configSchema>
export type Endpoint = z.output<typeof endpointSchema>
export type EndpointList = z.output<typeof endpointsSchema>
export type NewEndpoint = z.input<typeof endpointRequest>
export type EndpointChanges = z.input<typeof endpointPatch>
export type TestEvent = Pick<z.input<typeof webhook.testRequest>, 'type'>
export type Delivery = z.output<typeof webhook.deliverySchema>
/** The delivery to one endpoint. `endpoints` lists the deliveries to the others. */
export type DeliveryStatus = z.output<typeof webhook.deliveryStatusSchema>
export type AttemptPage = z.output<typeof webhook.attemptsSchema>
/** The body of a webhook. For a garment, it contains the data of `query`. */
export type WebhookEvent = EventByStatus<Event>
export type RangeRedelivery = z.output<typeof webhook.rangeRedeliverySchema>
export type TestResult = z.output<typeof webhook.testResultSchema>

export type ServiceFailureCode = ErrorCode

export type ServiceStatus = z.output<typeof statusSchema>
export type NewPause = z.input<typeof pauseRequest>
export type Pause = z.output<typeof pauseSchema>
export type NewTenantLimits = z.input<typeof tenantLimitsRequest>
export type TenantLimits = z.output<typeof tenantLimitsSchema>
export type PasswordReset = z.output<typeof passwordResetSchema>
export type NewRetag = z.input<typeof retagRequest>
export type RestoredDatabase = z.input<typeof repeatDeletionsRequest>
export type RepeatedDeletions = z.output<typeof repeatedDeletionsSchema>
