/**
 * Compiles each room's kernels with the pinned AssemblyScript to `kernels.wasm`: `node build-kernels.ts`. With
 * `--check`, fails if a committed file differs from the compiled one, and writes nothing.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { main } from 'assemblyscript/asc'

/** Kernels of each room. Their memory is limited in pages of 64 KiB. Labels are read in the memory of the decoders. */
const rooms = [
  { folder: import.meta.dirname, source: 'kernels.ts', memory: '--maximumMemory 512' },
  {
    folder: join(import.meta.dirname, '../../labels/network'),
    source: 'label-kernels.ts',
    memory: '--maximumMemory 1024 --importMemory',
  },
]

/** Warning 112 is about v128 in exports that only these sources call. */
const options =
  '-O3 --converge --noAssert --runtime stub --enable simd --enable relaxed-simd --initialMemory 1 --disableWarning 112'

/** Compiles the sources. Throws with the compiler's messages if they do not compile. */
async function buildKernels({ folder, source, memory }: (typeof rooms)[number]): Promise<Uint8Array> {
  let built: Uint8Array | undefined
  const messages: string[] = []
  const { error } = await main([source, '-o', 'kernels.wasm', ...`${options} ${memory}`.split(' ')], {
    // Returns null for missing files: the compiler tries several names.
    readFile: (name) => {
      const path = join(folder, name)
      return existsSync(path) ? readFileSync(path, 'utf8') : null
    },
    writeFile: (_, contents) => {
      if (contents instanceof Uint8Array) built = contents
    },
    listFiles: () => [],
    stderr: { write: (chunk: string | Uint8Array) => messages.push(String(chunk)) },
  })
  if (error !== null || built === undefined) throw new Error(`AssemblyScript failed:\n${messages.join('')}`)
  return built
}

for (const room of rooms) {
  const wasm = join(room.folder, 'kernels.wasm')
  const built = await buildKernels(room)
  if (!process.argv.includes('--check')) writeFileSync(wasm, built)
  else if (!readFileSync(wasm).equals(built)) throw new Error(`${wasm} is not what ${room.source} compiles to`)
}
