interface CountProps {
  /** What it says without scripts, where it leads to the page with the total. */
  readonly label: string
  /** Of the page, which counts only when it is asked to: counting reads many rows. */
  readonly page: string
  /** Answers with the total as text, for scripts. */
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
  if (count > max) return `more than ${max.toLocaleString('en')} garments`
  return count === 1 ? '1 garment' : `${count.toLocaleString('en')} garments`
}
