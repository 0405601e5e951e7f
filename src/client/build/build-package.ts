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
const { version, license } = readManifest('package.json')
const shared = { outdir: outDir, bundle: true, format: 'esm', target: 'es2022' } as const
await build({ ...shared, entryPoints: { index: `${sourceDir}/index.ts` }, platform: 'neutral' })
await build({
  ...shared,
  entryPoints: { 'command-line': `${sourceDir}/command-line/main.ts` },
  platform: 'node',
  define: { packageVersion: JSON.stringify(version) },
})
buildTypes(outDir)
copyFileSync(`${sourceDir}/package/README.md`, `${outDir}/README.md`)
copyFileSync('LICENSE', `${outDir}/LICENSE`)
const manifest = { ...readManifest(`${sourceDir}/package/package.json`), version, license }
writeFileSync(`${outDir}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
const tarball = execFileSync('npm', ['pack', `./${outDir}`, '--silent', '--pack-destination', 'dist'])
process.stdout.write(`dist/${String(tarball)}`)

function readManifest(path: string) {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
}
