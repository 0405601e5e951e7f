import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Writes a copy of `wrangler.toml` with another entry point, so that all other settings are real. Returns its path. */
export function writeConfig(): string {
  const replaced = readFileSync('wrangler.toml', 'utf8')
    .replace('main = "src/index.ts"', 'main = "../test/soak/worker.ts"')
    .replace(/^(migrations_dir|directory) = "/gm, '$1 = "../')
  const path = '.wrangler/soak.toml'
  mkdirSync('.wrangler', { recursive: true })
  writeFileSync(path, replaced)
  return path
}
