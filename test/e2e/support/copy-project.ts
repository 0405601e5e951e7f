import { copyFileSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Creates a folder that links the whole project, but with its own copy of `wrangler.toml`. */
export function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'garment-tagging-deploy-'))
  const changed = ['wrangler.toml', 'worker-configuration.d.ts']
  const linked = readdirSync('.').filter((name) => !changed.includes(name) && !name.startsWith('.'))
  for (const name of linked) symlinkSync(resolve(name), join(folder, name))
  for (const name of changed) copyFileSync(name, join(folder, name))
  return folder
}
