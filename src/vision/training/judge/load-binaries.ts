import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Lets Node.js import `.bin` (as an ArrayBuffer) and `.wasm` (as a compiled module) the way the Worker's bundler does. */
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.bin') && !url.endsWith('.wasm')) return nextLoad(url, context)
    const bytes = readFileSync(fileURLToPath(url)).toString('base64')
    const made = url.endsWith('.bin') ? 'bytes.buffer' : 'new WebAssembly.Module(bytes)'
    const source = `const bytes = Uint8Array.from(atob('${bytes}'), (letter) => letter.charCodeAt(0))\nexport default ${made}`
    return { format: 'module', source, shortCircuit: true }
  },
})
