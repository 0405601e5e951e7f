export interface Context {
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal
}

export interface Command {
  readonly summary: string
  readonly help: string
  /** Returns the exit code: 0 for success, 1 if anything failed. */
  readonly run: (args: string[], context: Context) => Promise<number>
}

/** Wrong arguments, which end the process with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Writes a message to standard error, because standard output is for results. */
export const tell = (text: string) => void process.stderr.write(`${text}\n`)

export function parsePairs(option: string, pairs: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new UsageError(`${option} must be NAME=VALUE, not ${pair}.`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}
