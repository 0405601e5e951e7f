import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { addDatabases } from '../../src/local/wrangler.ts'

interface Changes {
  /** Entry point, relative to the project root. */
  readonly main?: string
  readonly databases: number
}

/** Writes a copy of `wrangler.toml` with some changes and returns its path. All other settings stay real. */
export function writeConfig({ main = 'src/index.ts', databases }: Changes): string {
  const toml = readFileSync('wrangler.toml', 'utf8')
  const added = databases === 1 ? toml : addDatabases(toml, undefined, databases - 1)?.toml
  if (added === undefined) throw new Error('wrangler.toml has no database')
  const replaced = added
    .replace('main = "src/index.ts"', `main = "../${main}"`)
    .replace(/^(migrations_dir|directory) = "/gm, '$1 = "../')
    .replace('zod = "./', 'zod = "../')
  const path = `.wrangler/${main.replaceAll('/', '-')}-${databases}.toml`
  mkdirSync('.wrangler', { recursive: true })
  writeFileSync(path, replaced)
  // wrangler looks for secrets beside its configuration, but they are generated in the project root.
  linkOnce('../.dev.vars', '.wrangler/.dev.vars')
  return path
}

/** Makes file names unique, because several tests start at the same time. */
function linkOnce(target: string, path: string): void {
  try {
    symlinkSync(target, path)
  } catch (error) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) throw error
  }
}
