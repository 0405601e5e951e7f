/** What a command gets besides its arguments. */
export interface Context {
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal
}

export interface Command {
  readonly summary: string
  /** The whole text of `--help`. */
  readonly help: string
  /** Returns the exit code: 0, or 1 if not everything went well. */
  readonly run: (args: string[], context: Context) => Promise<number>
}

/** The arguments are wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Results go to the standard output, so that they can be piped; everything else goes to the standard error. */
export const tell = (text: string) => void process.stderr.write(`${text}\n`)

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
