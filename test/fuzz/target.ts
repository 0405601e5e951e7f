import type { Random } from '../../training/flat-lay/random.ts'

/** A parser of strangers' bytes. */
export interface Target {
  readonly name: string
  /** The inputs of a long run. */
  readonly leastInputs: number
  /** An input, decided by `random` alone. */
  readonly make: (random: Random) => Uint8Array
  /**
   * Parses the input; throws `Finding` where the parser breaks its promise. Any error that it does not document goes
   * through, and is a finding too.
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
