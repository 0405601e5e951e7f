import { copyFileSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** A folder with everything of the project, in which `wrangler.toml` can be changed. */
export function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'garment-tagging-deploy-'))
  const changed = ['wrangler.toml', 'worker-configuration.d.ts']
  const linked = readdirSync('.').filter((name) => !changed.includes(name) && !name.startsWith('.'))
  for (const name of linked) symlinkSync(resolve(name), join(folder, name))
  for (const name of changed) copyFileSync(name, join(folder, name))
  return folder
}
