import { UsageError } from './command.ts'

/** The values of an option that is given as NAME=VALUE any number of times. */
export function pairsOf(option: string, pairs: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new UsageError(`${option} must be NAME=VALUE, not ${pair}.`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}
