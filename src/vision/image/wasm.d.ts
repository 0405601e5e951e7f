/** A `.wasm` file imported by the Worker is a compiled module. */
declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}
