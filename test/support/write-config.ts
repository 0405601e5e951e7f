import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { addDatabases } from '../../src/local/wrangler.ts'

interface Changes {
  /** The entry point, from the root of the project. */
  readonly main?: string
  readonly databases: number
}

/** Writes a copy of `wrangler.toml` with these changes, so that all other settings are real. Returns its path. */
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
  // Beside its configuration wrangler looks for the secrets, which the start generates in the root.
  linkOnce('../.dev.vars', '.wrangler/.dev.vars')
  return path
}

/** Several tests start at the same time. */
function linkOnce(target: string, path: string): void {
  try {
    symlinkSync(target, path)
  } catch (error) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) throw error
  }
}
