/**
 * Compiles `kernels.ts` with the pinned AssemblyScript to `kernels.wasm`: `node build-kernels.ts`. With `--check` it
 * writes nothing and fails if the committed file differs from what the sources give.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { main } from 'assemblyscript/asc'

/**
 * The memory cannot grow beyond 512 pages of 64 KiB: 32 MiB. Warning 112 is about v128 in the signatures of exported
 * functions; only the sources themselves call these.
 */
const options =
  '-O3 --converge --noAssert --runtime stub --enable simd --enable relaxed-simd --initialMemory 1 --maximumMemory 512 --disableWarning 112'

const wasm = join(import.meta.dirname, 'kernels.wasm')

/** Throws with the compiler's messages if the sources do not compile. */
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

/** The compiler asks for several names until one is there. */
function readSource(name: string): string | null {
  const path = join(import.meta.dirname, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

if (import.meta.main) {
  const built = await buildKernels()
  if (!process.argv.includes('--check')) writeFileSync(wasm, built)
  else if (!readFileSync(wasm).equals(built)) throw new Error('kernels.wasm is not what kernels.ts compiles to')
}
