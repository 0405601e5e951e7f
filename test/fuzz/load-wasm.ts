import { registerHooks } from 'node:module'

/** Imports `.wasm` files as modules, as Workers do. Node.js would instantiate them. */
const compile = `
  import { readFileSync } from 'node:fs'
  export default new WebAssembly.Module(readFileSync(new URL(import.meta.url)))`

registerHooks({
  load: (url, context, next) =>
    url.endsWith('.wasm') ? { format: 'module', source: compile, shortCircuit: true } : next(url, context),
})
