export interface WeightsFile {
  readonly bytes: number
  /** SHA-256 of each part, which is also its file name. A static asset has at most 25 MiB. */
  readonly parts: readonly string[]
}

/** Reads the weights from static assets below /networks. Throws if a part is missing or has another hash. */
export async function readWeights(assets: Pick<Fetcher, 'fetch'>, { bytes, parts }: WeightsFile): Promise<ArrayBuffer> {
  // Fills a buffer of the known length, because joining chunks afterwards would take twice the memory.
  const file = new Uint8Array(bytes)
  let end = 0
  for (const hash of parts) {
    const start = end
    const { body, status } = await assets.fetch(`https://assets.local/networks/${hash}.bin`)
    if (status !== 200 || body === null) throw new Error(`The weights ${hash} cannot be read: ${status}`)
    for await (const chunk of body) {
      file.set(chunk, end)
      end += chunk.length
    }
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', file.subarray(start, end))).toHex()
    if (digest !== hash) throw new Error(`The weights ${hash} have the hash ${digest}`)
  }
  if (end !== bytes) throw new Error(`The weights have ${end} bytes in place of ${bytes}`)
  return file.buffer
}
