import { bindings } from '../service.ts'

/** The attributes whose confidence a generated column of the database counts as doubt. */
export async function doubtedNames(): Promise<string[]> {
  const { results } = await bindings.DB.prepare(
    "SELECT sql FROM sqlite_master WHERE sql LIKE '%GENERATED ALWAYS AS%'",
  ).all<{ sql: string }>()
  const names = results.flatMap(({ sql }) => [...sql.matchAll(/"([^"]+) Confidence"/g)].map(([, name = '']) => name))
  return [...new Set(names)]
}
