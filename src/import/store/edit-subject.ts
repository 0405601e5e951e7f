import { countGarments } from '../../count.ts'

/** What changes garments by an import. */
export interface EditSource {
  readonly file?: string
  /** The names of the values that every line removes. */
  readonly removed?: readonly string[]
}

/** `Currency, Price (removed)`. */
export const namesOfEdit = (given: readonly string[], removed: readonly string[] = []): string =>
  [...given, ...removed.map((name) => `${name} (removed)`)].join(', ')

/** One entry of the log for all garments: how many, what and from where. */
export function editSubject(count: number, columns: readonly string[], { file, removed }: EditSource = {}): string {
  const given = columns.filter((column) => column !== 'uuid')
  return `${countGarments(count)}: ${namesOfEdit(given, removed)}${file === undefined ? '' : ` (${file})`}`
}
