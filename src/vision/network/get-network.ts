import kernelsModule from './kernels.wasm'
import { layOutNetwork } from './load-network.ts'
import type { Network } from './network.ts'
import description from './network.json'
import { finishInTurns } from './run-in-turns.ts'
import weights from './weights.bin'

let network: Network | undefined

/** About 10 ms of loading. */
const bytesPerTurn = 1_000_000

/** Loads the bundled network, and yields after each megabyte. */
export const loadInTurns = async (): Promise<Network> =>
  await finishInTurns(() => layOutNetwork(kernelsModule, description, weights), bytesPerTurn)

/**
 * The bundled network, loaded on first use: at start-up it would delay every request of a new isolate. Two pictures
 * that come first at the same time load it both, and one of the two is kept.
 */
export async function getNetwork(): Promise<Network> {
  network ??= await loadInTurns()
  return network
}
