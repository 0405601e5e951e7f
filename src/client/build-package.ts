import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { build } from 'esbuild'

function buildTypes(outDir: string): void {
  // The folder is inside the project, because the schemas import its packages.
  const workDir = resolve(outDir, '../types')
  mkdirSync(workDir, { recursive: true })
  writeFileSync(join(workDir, 'resolved-types.ts'), resolvedTypesSource())
  const config = {
    extends: resolve('tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      noCheck: true,
      rootDir: resolve('.'),
      outDir: 'out',
    },
    files: ['resolved-types.ts', resolve('src/client/index.ts')],
    include: [],
  }
  writeFileSync(join(workDir, 'tsconfig.json'), JSON.stringify(config))
  execFileSync('npx', ['tsc', '--project', workDir], { stdio: 'inherit' })

  const declarationsDir = join(workDir, 'out/src/client')
  const resolved = readFileSync(join(workDir, 'out/dist/types/resolved-types.d.ts'), 'utf8')
  writeFileSync(join(declarationsDir, 'types.d.ts'), asTypes(resolved))
  copyDeclarations('index', declarationsDir, outDir)
  rmSync(workDir, { recursive: true })
}

/** Generates a constant for each type in types.ts. The compiler resolves its type, without the service's schemas. */
function resolvedTypesSource(): string {
  const types = readFileSync('src/client/types.ts', 'utf8').matchAll(/^(\/\*\*.*\*\/\n)?export type (\w+) =/gm)
  return [
    "import type * as types from '../../src/client/types.ts'",
    'declare function resolve<T>(): { [K in keyof T]: T[K] }',
    ...Array.from(types, ([, comment = '', name]) => `${comment}export const ${name} = resolve<types.${name}>()`),
  ].join('\n')
}

const asTypes = (constants: string) =>
  constants
    .replace(/^import .*\n/, '')
    .replaceAll(/^export declare const (\w+): /gm, 'export type $1 = ')
    .replaceAll(/\btypes\.(?=[A-Z])/g, '')

/** Copies a declaration file and all declaration files that it imports. */
function copyDeclarations(name: string, from: string, to: string, copied = new Set<string>()): void {
  if (copied.has(name)) return
  copied.add(name)
  const source = readFileSync(join(from, `${name}.d.ts`), 'utf8')
  writeFileSync(join(to, `${name}.d.ts`), source.replaceAll(/(['"]\.\/[\w-]+)\.ts(?=['"])/g, '$1.js'))
  for (const [, imported = ''] of source.matchAll(/['"]\.\/([\w-]+)\.ts['"]/g))
    copyDeclarations(imported, from, to, copied)
}

/** `npm run client:pack`: builds the client's package in `dist/client`, packs it and prints the path of the tarball. */

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
