export interface DatabaseBinding {
  readonly binding: string
  readonly name: string
}

/** The lines in which the databases of an environment, or of the top, stand in `wrangler.toml`. */
interface Place {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

const entryPattern = /binding = "(DB\d*)"[\s,]+database_name = "([^"]+)"/g

/** The databases in the text of `wrangler.toml`, at its top or of an environment; none where they are not found. */
export function readDatabases(toml: string, env: string | undefined): DatabaseBinding[] {
  const lines = toml.split('\n')
  const place = findPlace(lines, env)
  if (place === null) return []
  const text = lines.slice(place.start, place.end).join('\n')
  return [...text.matchAll(entryPattern)].map(([, binding = '', name = '']) => ({ binding, name }))
}

/**
 * Adds `count` databases, DB2 and so on, whose names are that of the first with a number. Returns the new text and what
 * was added; null where the databases are not written as this project writes them.
 */
export function addDatabases(toml: string, env: string | undefined, count: number) {
  const lines = toml.split('\n')
  const place = findPlace(lines, env)
  const known = readDatabases(toml, env)
  const first = known.find(({ binding }) => binding === 'DB')
  if (place === null || first === undefined) return null
  const last = Math.max(...known.map(({ binding }) => Number(binding.slice(2) || 1)))
  const added = Array.from({ length: count }, (_, i) => {
    const number = last + i + 1
    return { binding: `DB${number}`, name: `${first.name}-${number}` }
  })
  const replaced =
    env === undefined
      ? [...lines.slice(place.start, place.end), ...added.flatMap((each) => ['', ...blockOf(each)])]
      : ['d1_databases = [', ...[...known, ...added].map(entryOf), ']']
  return { toml: lines.toSpliced(place.start, place.end - place.start, ...replaced).join('\n'), added }
}

function findPlace(lines: readonly string[], env: string | undefined): Place | null {
  if (env === undefined) {
    const [start, lastBlock] = [lines.indexOf('[[d1_databases]]'), lines.lastIndexOf('[[d1_databases]]')]
    const end = lines.indexOf('', lastBlock)
    return start === -1 ? null : { start, end: end === -1 ? lines.length : end }
  }
  const section = lines.indexOf(`[env.${env}]`)
  const start = lines.findIndex((line, i) => i > section && line.startsWith('d1_databases = ['))
  const next = lines.findIndex((line, i) => i > section && line.startsWith('['))
  const end = lines.findIndex((line, i) => i >= start && line.endsWith(']')) + 1
  const isInSection = section !== -1 && start !== -1 && (next === -1 || start < next)
  return isInSection && end > start ? { start, end } : null
}

const entryOf = ({ binding, name }: DatabaseBinding) =>
  `  { binding = "${binding}", database_name = "${name}", migrations_dir = "migrations" },`

const blockOf = ({ binding, name }: DatabaseBinding) => [
  '[[d1_databases]]',
  `binding = "${binding}"`,
  `database_name = "${name}"`,
  'migrations_dir = "migrations"',
]
