import { boundName } from '../../bounds/bound-text.ts'

/** A letter in four may be wrong, missing or too much. */
const lettersPerMistake = 4

/** A body is a stranger's: it may have thousands of fields, with names of any length, and comparing takes time. */
const maxCompared = 10
const maxNameLength = 64

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

interface NearMiss {
  readonly name: string
  /** The known field. */
  readonly meant: string
}

export const nearMissSentence = ({ name, meant }: NearMiss) => `${name}: is not a field; did you mean ${meant}?`

/** The first unknown fields of a body, if their names are nearly those of known fields which are absent. */
export function findNearMisses(body: object, fields: readonly string[]): NearMiss[] {
  const absent = fields.filter((field) => !(field in body))
  const unknown = Object.keys(body)
    .filter((name) => name.length <= maxNameLength && !fields.includes(name))
    .slice(0, maxCompared)
  return unknown.flatMap((name) => {
    const meant = absent.find((field) => isNear(plain(name), plain(field)))
    return meant === undefined ? [] : [{ name: boundName(name), meant }]
  })
}

function isNear(name: string, field: string): boolean {
  const most = Math.floor(field.length / lettersPerMistake)
  return Math.abs(name.length - field.length) <= most && editDistance(name, field) <= most
}

/** Levenshtein's distance: the fewest letters to insert, remove or replace. */
function editDistance(a: string, b: string): number {
  const row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 0; i < a.length; i++) {
    let diagonal = i
    let left = i + 1
    row[0] = left
    for (let j = 0; j < b.length; j++) {
      const above = row[j + 1] ?? 0
      left = Math.min(above + 1, left + 1, diagonal + (a[i] === b[j] ? 0 : 1))
      diagonal = above
      row[j + 1] = left
    }
  }
  return row.at(-1) ?? 0
}
