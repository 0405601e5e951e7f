import { applyCorrections } from '../correction/rules/apply-corrections.ts'
import { parseCorrections } from '../correction/rules/correction.ts'
import { describeCorrected } from '../correction/rules/describe-corrected.ts'
import type { garments } from '../db/schema.ts'
import { picturePath } from './annotated-picture.ts'
import { failureCode, failureReason } from './errors/failure.ts'
import { noDetails, toDetailsResponse } from './tagging-details.ts'
import { attributeSchema, tagSchema, type GarmentResult } from './fields.ts'
import { measurementsSchema } from './tag-schema.ts'

export type GarmentRow = typeof garments.$inferSelect

/** The columns that a response needs. */
export type GarmentResultRow = Pick<
  GarmentRow,
  | 'tenantId'
  | 'uuid'
  | 'origin'
  | 'attribute'
  | 'status'
  | 'failureReason'
  | 'pictureId'
  | 'tag'
  | 'measurements'
  | 'corrections'
  | 'description'
  | 'details'
>

/** The query's data. `publicUrl` is the service's address if one is set; otherwise links use the upload's origin. */
export function toGarmentResponse(row: GarmentResultRow, publicUrl: string | undefined): GarmentResult {
  const complete = row.status === 'complete'
  const machine = complete ? machineResult(row) : null
  const result = machine === null ? null : correctedResult(row, machine)
  return {
    uuid: row.uuid,
    annotated_img: complete ? `${publicUrl ?? row.origin}${picturePath(row.tenantId, row.pictureId)}` : '',
    tag: result?.tag ?? null,
    measurements: result?.measurements ?? null,
    description: result?.description ?? '',
    complete,
    status: row.status,
    failure_reason: failureReason(row.failureReason),
    failure_code: failureCode(row.failureReason),
    ...(machine === null ? noDetails : toDetailsResponse(row.details, machine.tag)),
    ...(result === null || result.corrected.length === 0 ? {} : { corrected: result.corrected }),
  }
}

/** The predicted values of a complete garment, without corrections. */
export const machineResult = (row: Pick<GarmentRow, 'tag' | 'measurements'>) => ({
  tag: tagSchema.parse(row.tag),
  measurements: measurementsSchema.parse(row.measurements),
})

function correctedResult(row: GarmentResultRow, machine: ReturnType<typeof machineResult>) {
  const { description } = row
  if (row.corrections === null) return { ...machine, description, corrected: [] }
  const attribute = attributeSchema.parse(JSON.parse(row.attribute))
  const result = applyCorrections(machine, parseCorrections(row.corrections), attribute)
  const isOther = result.corrected.some((name) => name in result.tag)
  return { ...result, description: (isOther ? describeCorrected(result.tag) : null) ?? description }
}

/** A strong ETag of a garment's result: it changes with its state, each new tagging, correction and attribute. */
export async function garmentVersion(
  row: Pick<GarmentRow, 'status' | 'pictureId' | 'failureReason' | 'corrections' | 'attribute'>,
) {
  const content = JSON.stringify([row.status, row.pictureId, row.failureReason, row.corrections, row.attribute])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content))
  return `"${new Uint8Array(digest).toHex().slice(0, 32)}"`
}

/** Whether an `If-Match` header, by RFC 9110 a list of ETags or `*`, lets a change of this version through. */
export const matchesVersion = (ifMatch: string, version: string): boolean =>
  ifMatch.split(',').some((each) => each.trim() === '*' || each.trim() === version)
