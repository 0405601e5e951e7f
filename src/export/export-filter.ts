import { garmentWords, hasWords, termsOf } from '../garment/words.ts'
import { spellings } from '../garment/list/plan-scan.ts'
import { isNewSince, type LastExport } from './since.ts'
import type { ExportedGarment } from './to-export-response.ts'

/** The filters of the list of garments that apply to garments one by one, while they are written. */
export interface GarmentMatch {
  /** The beginning of the uuid, or words of the owner's values. */
  readonly search?: string | undefined
  readonly brand?: string | undefined
  /** After correction, as brand and colour are. */
  readonly itemType?: string | undefined
  readonly colour?: string | undefined
  /** Only those with a value that a person changed. */
  readonly corrected?: boolean | undefined
  /** Only those with a value in doubt. */
  readonly doubtful?: boolean | undefined
  /** Only those that are new since this export. */
  readonly since?: LastExport | undefined
}

function isSearched({ uuid, tag, attribute }: ExportedGarment, search: string): boolean {
  if (spellings(search).some((start) => uuid.startsWith(start))) return true
  const brand = tag?.['Brand']
  return hasWords(garmentWords({ uuid, brand: typeof brand === 'string' ? brand : '', attribute }), termsOf(search))
}

/** @param doubt as the list of garments has it */
export function matchesFilter(garment: ExportedGarment, doubt: number, filter: GarmentMatch): boolean {
  const { search, brand, itemType, colour, corrected, doubtful, since } = filter
  const { tag } = garment
  return (
    (search === undefined || isSearched(garment, search)) &&
    (brand === undefined || tag?.['Brand'] === brand) &&
    (itemType === undefined || tag?.['Item Type'] === itemType) &&
    (colour === undefined || tag?.['Colour'] === colour) &&
    (!corrected || (garment.corrected ?? []).length > 0) &&
    (!doubtful || doubt > 0) &&
    (since === undefined || isNewSince(garment, since))
  )
}
