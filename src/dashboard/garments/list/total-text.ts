import { countGarments } from '../../../count.ts'
import type { GarmentCount } from '../../../garment/list/count-garments.ts'

/** `1 garment`, `about 3,412 garments`, `at least 40 garments`, `10,000 garments and more`. */
export function totalText({ count, isAll }: GarmentCount, isAbout: boolean, max: number): string {
  const text = countGarments(count)
  if (isAll) return isAbout ? `about ${text}` : text
  return count >= max ? `${text} and more` : `at least ${text}`
}
