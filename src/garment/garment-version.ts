import type { GarmentRow } from './to-garment-response.ts'

/** A strong ETag of a garment's result: it changes with its state, each new tagging and each correction. */
export async function garmentVersion(row: Pick<GarmentRow, 'status' | 'pictureId' | 'failureReason' | 'corrections'>) {
  const content = JSON.stringify([row.status, row.pictureId, row.failureReason, row.corrections])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content))
  return `"${new Uint8Array(digest).toHex().slice(0, 32)}"`
}

/** Whether an `If-Match` header, by RFC 9110 a list of ETags or `*`, lets a change of this version through. */
export const matchesVersion = (ifMatch: string, version: string): boolean =>
  ifMatch.split(',').some((each) => each.trim() === '*' || each.trim() === version)
