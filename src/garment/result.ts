import { z } from 'zod'
import type { garments } from '../db/schema.ts'

export const tagSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
const measurementsSchema = z.record(z.string(), z.number())

export type GarmentRow = typeof garments.$inferSelect

/** What is read of a garment to tell its result. */
export type GarmentResultRow = Pick<
  GarmentRow,
  'tenantId' | 'uuid' | 'origin' | 'status' | 'failureReason' | 'pictureId' | 'tag' | 'measurements' | 'description'
>

export interface GarmentResult {
  readonly uuid: string
  readonly annotated_img: string
  readonly tag: z.infer<typeof tagSchema> | null
  readonly measurements: z.infer<typeof measurementsSchema> | null
  readonly description: string
  readonly complete: boolean
  readonly status: GarmentRow['status']
  readonly failure_reason: string
}

/** The query's data. `publicUrl` is the service's address where one is set; else links stand on the upload's origin. */
export function garmentResult(row: GarmentResultRow, publicUrl: string | undefined): GarmentResult {
  const complete = row.status === 'complete'
  return {
    uuid: row.uuid,
    annotated_img: complete ? `${publicUrl ?? row.origin}${picturePath(row.tenantId, row.pictureId)}` : '',
    tag: complete ? tagSchema.parse(row.tag) : null,
    measurements: complete ? measurementsSchema.parse(row.measurements) : null,
    description: complete ? row.description : '',
    complete,
    status: row.status,
    failure_reason: row.failureReason,
  }
}

export const picturePath = (tenantId: string, pictureId: string) =>
  `/garment-tagging/annotated/${tenantId}/${pictureId}`

/** Of the keys of all pictures of a tenant, so that deleting the tenant finds them. */
export const tenantPicturesPrefix = (tenantId: string) => `annotated/${tenantId}/`

export const pictureKey = (tenantId: string, pictureId: string) => `${tenantPicturesPrefix(tenantId)}${pictureId}`
