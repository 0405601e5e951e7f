import { countGarments } from '../../count.ts'

interface CountProps {
  /** The text without scripts, linked to the page with the total. */
  readonly label: string
  /** The path of the page, which counts only on request, because counting reads many rows. */
  readonly page: string
  /** The path that answers scripts with the total as text. */
  readonly source: string
}

/** A total that is counted after the page is shown. */
export const Count = ({ label, page, source }: CountProps) => (
  <a href={page} data-count={source}>
    {label}
  </a>
)

/** `1 garment`, `1,200 garments`, `more than 10,000 garments`. */
export function countText(count: number, max: number): string {
  if (count > max) return `more than ${countGarments(max)}`
  return countGarments(count)
}
