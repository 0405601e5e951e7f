/** A binary that is bundled beside the code by wrangler's `Data` rule. */
declare module '*.bin' {
  const bytes: ArrayBuffer
  export default bytes
}
