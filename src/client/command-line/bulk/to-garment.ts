import type { ExportedGarment, Garment } from '../../types.ts'

/** The fields that a query returns. */
export function toGarment(exported: ExportedGarment): Garment {
  const { image_url: _url, attribute: _attribute, uploaded_at: _uploaded, ended_at: _ended, ...rest } = exported
  const { machine: _machine, original_img: _original, ...garment } = rest
  return garment
}
