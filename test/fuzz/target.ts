import type { Random } from '../../training/flat-lay/random.ts'

/** A parser of untrusted bytes. */
export interface Target {
  readonly name: string
  /** Number of inputs in a long run. */
  readonly leastInputs: number
  /** Builds an input that depends only on `random`. */
  readonly make: (random: Random) => Uint8Array
  /**
   * Parses the input. Throws `Finding` if the parser breaks its promise. Undocumented errors propagate and are findings
   * too.
   */
  readonly run: (input: Uint8Array) => Promise<void>
}

/** A broken promise of a parser. */
class Finding extends Error {
  override name = 'Finding'
}

export function expectThat(condition: boolean, promise: string): asserts condition {
  if (!condition) throw new Finding(promise)
}
