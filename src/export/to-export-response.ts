import { parseCorrections } from '../correction/rules/correction.ts'
import { attributeSchema } from '../garment/fields.ts'
import { originalPath } from '../garment/uploaded-file.ts'
import { toGarmentResponse, machineResult } from '../garment/to-garment-response.ts'
import { toIso } from '../time.ts'
import type { ExportedRow } from './export-garments.ts'

const iso = (ms: number | null) => (ms === null ? '' : toIso(ms))

/** A garment as it is exported: the query's data, what was uploaded, and the predicted values without corrections. */
export function toExportResponse(stored: ExportedRow, publicUrl: string | undefined) {
  const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
  const row = {
    ...stored,
    tag: parsed(stored.tag),
    measurements: parsed(stored.measurements),
    details: parsed(stored.details),
  }
  const { tag, measurements } = parseCorrections(row.corrections)
  const machine = row.status === 'complete' ? predicted(machineResult(row)) : null
  const reviewed = [...Object.entries(tag), ...Object.entries(measurements)]
  const confirmed = reviewed.flatMap(([name, { value }]) =>
    value === (machine?.tag[name] ?? machine?.measurements[name]) ? [name] : [],
  )
  const original = originalPath(row.tenantId, row.imageUrl)
  return {
    ...toGarmentResponse(row, publicUrl),
    image_url: row.imageUrl,
    original_img: original === null ? '' : `${publicUrl ?? row.origin}${original}`,
    attribute: attributeSchema.parse(JSON.parse(row.attribute)),
    uploaded_at: iso(row.createdAt),
    ended_at: iso(row.endedAt),
    machine,
    ...(confirmed.length === 0 ? {} : { confirmed }),
  }
}

const predicted = ({ tag, measurements }: ReturnType<typeof machineResult>) => ({ tag, measurements })

export type ExportedGarment = ReturnType<typeof toExportResponse>
