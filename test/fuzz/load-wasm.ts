import { registerHooks } from 'node:module'

/** In a Worker the import of a `.wasm` file gives its module; in Node.js it would be instantiated. */
const compile = `
  import { readFileSync } from 'node:fs'
  export default new WebAssembly.Module(readFileSync(new URL(import.meta.url)))`

registerHooks({
  load: (url, context, next) =>
    url.endsWith('.wasm') ? { format: 'module', source: compile, shortCircuit: true } : next(url, context),
})
