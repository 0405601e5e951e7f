import kernelsModule from './kernels.wasm'
import { loadNetwork } from './load-network.ts'
import type { Network } from './network.ts'
import description from './network.json'
import weights from './weights.bin'

let network: Network | undefined

/** The bundled network, loaded on first use: at start-up it would delay every request of a new isolate. */
export function getNetwork(): Network {
  network ??= loadNetwork(kernelsModule, description, weights)
  return network
}
