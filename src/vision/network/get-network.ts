import { env } from 'cloudflare:workers'
import { systemClock, type Clock } from '../../time.ts'
import kernelsModule from './kernels.wasm'
import { layOutNetwork } from './load-network.ts'
import type { Network } from './network.ts'
import description from './network.json'
import { readWeights } from './read-weights.ts'
import { finishInTurns } from './run-in-turns.ts'
import weightsFile from './weights.json'

/** Laid-out bytes per turn, which take about 10 ms. */
const bytesPerTurn = 1_000_000

/** Longer than loading takes. Afterwards another request may load, because a cancelled request leaves no trace. */
const maxLoadMs = 10_000

const pollMs = 20

/** Lays out the weights and yields after each turn. */
export const loadInTurns = async (weights: ArrayBuffer): Promise<Network> =>
  await finishInTurns(() => layOutNetwork(kernelsModule, description, weights), bytesPerTurn)

export const readBundledWeights = async (): Promise<ArrayBuffer> => await readWeights(env.ASSETS, weightsFile)

/**
 * Loads once per isolate, on first use. Concurrent requests poll, because a request cannot wait for another request's
 * fetch. After a failure the next request tries again.
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

export const getNetwork = loadOnce(async () => await loadInTurns(await readBundledWeights()))
