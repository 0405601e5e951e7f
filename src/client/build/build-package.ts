/**
 * `npm run client:pack`: builds the client's package in `dist/client` and packs it. Prints the path of the tarball.
 * Runs in Node.js.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { build } from 'esbuild'
import { buildTypes } from './build-types.ts'

const sourceDir = 'src/client'
const outDir = 'dist/client'

rmSync(outDir, { recursive: true, force: true })
mkdirSync(outDir, { recursive: true })
await build({
  entryPoints: { index: `${sourceDir}/index.ts` },
  outdir: outDir,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
})
buildTypes(outDir)
copyFileSync(`${sourceDir}/package/README.md`, `${outDir}/README.md`)
copyFileSync('LICENSE', `${outDir}/LICENSE`)
const { version, license } = readManifest('package.json')
const manifest = { ...readManifest(`${sourceDir}/package/package.json`), version, license }
writeFileSync(`${outDir}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
const tarball = execFileSync('npm', ['pack', `./${outDir}`, '--silent', '--pack-destination', 'dist'])
process.stdout.write(`dist/${String(tarball)}`)

function readManifest(path: string) {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
}
