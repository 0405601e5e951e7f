import { env } from 'cloudflare:workers'
import { systemClock, type Clock } from '../../time.ts'
import kernelsModule from './kernels.wasm'
import { layOutNetwork } from './load-network.ts'
import type { Network } from './network.ts'
import description from './network.json'
import { readWeights } from './read-weights.ts'
import { finishInTurns } from './run-in-turns.ts'
import weightsFile from './weights.json'

/** About 10 ms of laying out. */
const bytesPerTurn = 1_000_000

/** Longer than loading takes. After it another request may load, since one that is cut off says nothing. */
const maxLoadMs = 10_000

const pollMs = 20

/** Lays out weights, and yields after each megabyte. */
export const loadInTurns = async (weights: ArrayBuffer): Promise<Network> =>
  await finishInTurns(() => layOutNetwork(kernelsModule, description, weights), bytesPerTurn)

export const readBundledWeights = async (): Promise<ArrayBuffer> => await readWeights(env.ASSETS, weightsFile)

/**
 * Loads once in an isolate, when it is first needed. Others that come meanwhile look again on timers of their own: a
 * request cannot wait for what another one fetches. After a failure the next one tries again.
 */
export function loadOnce<T>(load: () => Promise<T>, { now, sleep }: Clock = systemClock): () => Promise<T> {
  let loaded: T | undefined
  let loadedBy = 0
  return async () => {
    while (loaded === undefined) {
      if (now() < loadedBy) {
        await sleep(pollMs)
        continue
      }
      loadedBy = now() + maxLoadMs
      try {
        const found = await load()
        loaded ??= found
      } finally {
        loadedBy = 0
      }
    }
    return loaded
  }
}

/** The isolate's network. Throws where the weights cannot be read. */
export const getNetwork = loadOnce(async () => await loadInTurns(await readBundledWeights()))
