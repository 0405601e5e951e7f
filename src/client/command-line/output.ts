import { closeSync, openSync, writeSync } from 'node:fs'
import { tell, UsageError } from './command.ts'

/** A file or the standard output, to which text is written as it comes. */
export interface Output {
  readonly write: (text: string) => Promise<void>
  readonly close: () => void
}

/** Opens the file at once, so that nothing is done whose results could not be kept. */
export function openOutput(path: string | undefined): Output {
  if (path === undefined) return { write: writeToStandardOutput, close() {} }
  const file = openFile(path)
  return {
    // Not buffered: what was written is there, however the process ends.
    write(text) {
      for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSync(file, rest))
      return Promise.resolve()
    },
    close() {
      closeSync(file)
      tell(`Saved ${path}.`)
    },
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

async function writeToStandardOutput(text: string): Promise<void> {
  // Not the event `drain`, which does not come once the reader has gone.
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
