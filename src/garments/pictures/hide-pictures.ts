import { and, eq, sql } from 'drizzle-orm'
import { labelKeys } from '../../labels/understanding/understand-label.ts'
import { type Database, hasRow } from '../../platform/db/database.ts'
import { binnedGarments, hiddenPictures } from '../../platform/db/schema.ts'
import type { GarmentRow } from '../garment.ts'
import { parsePictures } from './garment-picture.ts'
import { copyKey, labelCropId } from './stored-copy.ts'
import { fileKey } from './uploaded-file.ts'

/** Returns the storage keys of all pictures of a garment, without those of cut-outs. */
function keysOf({ tenantId, pictures }: Pick<GarmentRow, 'tenantId' | 'pictures'>): string[] {
  return parsePictures({ pictures }).flatMap(({ copyId, file, kind, predictedKind }) => {
    const crops = (kind ?? predictedKind) === 'label' ? labelKeys : []
    return [
      copyKey(tenantId, copyId),
      ...crops.map((key) => copyKey(tenantId, labelCropId(copyId, key))),
      ...(file === null ? [] : [fileKey(tenantId, file.id)]),
    ]
  })
}

export function hideStatement(db: Database, garment: Pick<GarmentRow, 'tenantId' | 'uuid' | 'pictures'>) {
  const { tenantId, uuid } = garment
  const isBinned = hasRow(binnedGarments, and(eq(binnedGarments.tenantId, tenantId), eq(binnedGarments.uuid, uuid)))
  return db
    .insert(hiddenPictures)
    .select(
      sql`SELECT value, ${tenantId}, ${uuid} FROM json_each(${JSON.stringify(keysOf(garment))}) WHERE ${isBinned}`,
    )
    .onConflictDoNothing()
}
