export interface WeightsFile {
  readonly bytes: number
  /** The SHA-256 of each part, which is its name too. A static asset has at most 25 MiB. */
  readonly parts: readonly string[]
}

/** Reads the weights from static assets below /networks. Throws where one is missing or not what its name says. */
export async function readWeights(assets: Pick<Fetcher, 'fetch'>, { bytes, parts }: WeightsFile): Promise<ArrayBuffer> {
  // The length is known, and an answer does not say it: chunks that are put together later would take twice the memory.
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
