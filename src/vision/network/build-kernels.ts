/**
 * Compiles `kernels.ts` with the pinned AssemblyScript to `kernels.wasm`: `node build-kernels.ts`. With `--check`,
 * fails if the committed file differs from the compiled one, and writes nothing.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { main } from 'assemblyscript/asc'

/** Limits memory to 512 pages (32 MiB). Warning 112 is about v128 in exports that only these sources call. */
const options =
  '-O3 --converge --noAssert --runtime stub --enable simd --enable relaxed-simd --initialMemory 1 --maximumMemory 512 --disableWarning 112'

const wasm = join(import.meta.dirname, 'kernels.wasm')

/** Compiles the sources. Throws with the compiler's messages if they do not compile. */
export async function buildKernels(): Promise<Uint8Array> {
  let built: Uint8Array | undefined
  const messages: string[] = []
  const { error } = await main(['kernels.ts', '-o', 'kernels.wasm', ...options.split(' ')], {
    readFile: readSource,
    writeFile: (_, contents) => {
      if (contents instanceof Uint8Array) built = contents
    },
    listFiles: () => [],
    stderr: { write: (chunk: string | Uint8Array) => messages.push(String(chunk)) },
  })
  if (error !== null || built === undefined) throw new Error(`AssemblyScript failed:\n${messages.join('')}`)
  return built
}

/** Returns null for missing files: the compiler tries several names. */
function readSource(name: string): string | null {
  const path = join(import.meta.dirname, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

if (import.meta.main) {
  const built = await buildKernels()
  if (!process.argv.includes('--check')) writeFileSync(wasm, built)
  else if (!readFileSync(wasm).equals(built)) throw new Error('kernels.wasm is not what kernels.ts compiles to')
}
