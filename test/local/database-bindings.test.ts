import { expect, it } from 'vitest'
import { addDatabases, readDatabases } from '../../src/local/wrangler.ts'

const toml = `name = "garments"

[[d1_databases]]
binding = "DB"
database_name = "garments"
migrations_dir = "migrations"

[[r2_buckets]]
binding = "PICTURES"

[env.production]
vars = { A = "b" }
d1_databases = [{ binding = "DB", database_name = "garments-production", migrations_dir = "migrations" }]
queues.producers = [
  { binding = "QUEUE", queue = "q" },
]

[env.staging]
d1_databases = [{ binding = "DB", database_name = "garments-staging", migrations_dir = "migrations" }]
`

const bindings = (text: string, env?: string) =>
  readDatabases(text, env).map(({ binding, name }) => `${binding} ${name}`)

it('databases are added to one environment, with the next numbers, and again after that', () => {
  const once = addDatabases(toml, 'production', 1)
  expect(once?.added).toEqual([{ binding: 'DB2', name: 'garments-production-2' }])
  const twice = addDatabases(once?.toml ?? '', 'production', 2)?.toml ?? ''
  const all = ['', '-2', '-3', '-4'].map((suffix, i) => `DB${i === 0 ? '' : i + 1} garments-production${suffix}`)
  expect(bindings(twice, 'production')).toEqual(all)
  expect([bindings(twice, 'staging'), bindings(twice)]).toEqual([['DB garments-staging'], ['DB garments']])
  expect(twice).toContain(
    'vars = { A = "b" }\nd1_databases = [\n  { binding = "DB", database_name = "garments-production"',
  )
  expect(twice).toContain(']\nqueues.producers = [\n')
})

it('databases are added to the top, for local development', () => {
  const edited = addDatabases(toml, undefined, 2)?.toml ?? ''
  expect(bindings(edited)).toEqual(['DB garments', 'DB2 garments-2', 'DB3 garments-3'])
  expect(edited.replace(/\n\[\[d1_databases\]\]\nbinding = "DB[23]"\n.*\n.*\n/g, '')).toBe(toml)
})

it.each(['production', 'other', undefined])('nothing is added where the databases of %s are not found', (env) => {
  expect(addDatabases('[env.production]\nd1_databases = []\n', env, 1)).toBe(null)
})
