import type { GarmentRow } from '../garment/to-garment-response.ts'
import { ApiError } from '../http/errors.ts'

export const invalidCorrection = (problems: readonly string[]) =>
  new ApiError('invalid_body', 'Invalid correction', problems)

export const garmentNotComplete = (status: GarmentRow['status']) =>
  new ApiError('garment_not_complete', 'Garment not complete', [
    status === 'failed'
      ? 'uuid: this garment failed; give tag.Item Type and tag.Colour to describe it by hand'
      : `uuid: only a complete garment can be corrected; this one is ${status}`,
  ])

export const garmentChanged = () =>
  new ApiError('garment_changed', 'Garment changed', ['Others are correcting this garment; try again.'])

export const staleGarment = () =>
  new ApiError('precondition_failed', 'Garment changed', [
    'If-Match: the garment has changed since you read it; query it again and send your correction with its new ETag.',
  ])
