import { copyKey, labelCropId } from '../garments/pictures/stored-copy.ts'
import { newCopyIds } from '../garments/pictures/unused-copies.ts'
import { formatResult } from '../garments/stored-result.ts'
import type { Ending, StoredPictureResult } from '../garments/transitions.ts'
import { newRevision } from '../garments/upload-garment.ts'
import { formatCopy } from '../vision/annotate/clean-copy.ts'
import type { TaggingDeps } from './deps.ts'
import { chooseValues, formatLabel } from './label-pictures.ts'
import type { QueuingGarment } from './find-queuing-garment.ts'
import type { CompleteReading } from './read-garment.ts'

/** Stores the copies of pictures and the crops of labels. Returns the result that refers to them. */
export async function storeResult(
  { db, pictures: bucket, now }: TaggingDeps,
  garment: Pick<QueuingGarment, 'tenantId' | 'uuid' | 'endedAt' | 'revision' | 'wasRotated'>,
  { measured, pictures, results, copies, labels }: CompleteReading,
): Promise<Ending> {
  const { tenantId, uuid, endedAt, revision } = garment
  // Clients cache a public copy for a year, so a new result needs new URLs.
  const isAgain = endedAt !== null
  const newIds = isAgain ? await newCopyIds(db, tenantId, copies.size + labels.size, now()) : []
  const stored: StoredPictureResult[] = [...results]
  const options = { httpMetadata: { contentType: 'image/jpeg' } }
  for (const [place, picture] of pictures.entries()) {
    const [result, copy] = [results[place], copies.get(place)]
    if (result === undefined || (copy === undefined && !labels.has(place))) continue
    const copyId = newIds.pop() ?? picture.copyId
    stored[place] = { ...result, copyId }
    if (copy === undefined) continue
    const { jpeg, drawing } = copy
    const bytes = formatCopy(jpeg, { uuid, file: picture.file?.id ?? '', rotation: result.rotation ?? 0, drawing })
    await bucket.put(copyKey(tenantId, copyId), bytes, options)
  }
  const values = chooseValues(labels)
  for (const { key, place, crop } of values)
    await bucket.put(copyKey(tenantId, labelCropId(stored[place]?.copyId ?? '', key)), crop, options)
  const { hash } = copies.get(Math.min(...copies.keys())) ?? measured.copy
  const isUnreadable = [...labels].some(([place, { hasText }]) => !hasText && pictures[place]?.kind === 'label')
  const notes = new Set(measured.details.notes)
  if (isUnreadable) notes.add('label_unreadable')
  // The rotation that the service chose earlier still applies.
  if (garment.wasRotated === 1) notes.add('rotated')
  const result = formatResult(
    { ...measured, details: { ...measured.details, notes: [...notes] } },
    formatLabel(labels, pictures),
  )
  return {
    status: 'complete',
    revision: isAgain ? newRevision() : revision,
    result,
    hash,
    pictures: stored,
    cropBytes: values.reduce((sum, { crop }) => sum + crop.length, 0),
  }
}
