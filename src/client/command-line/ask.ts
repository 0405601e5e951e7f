import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from './command.ts'

const silent = new Writable({ write: (_chunk, _encoding, done) => done() })

/** Prompts on a terminal. Throws a `UsageError` that names the option if there is none. */
export async function ask(question: string, option: string, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`Give ${option}.`)
  const answer = (await questionOn(process.stderr, question, signal)).trim()
  if (answer === '') throw new UsageError(`Give ${option}.`)
  return answer
}

/**
 * A password from GARMENT_TAGGING_PASSWORD, a terminal or the first line of the standard input. Never from an argument,
 * which other users of the machine could see.
 */
export async function askPassword(signal: AbortSignal): Promise<string> {
  const given = process.env['GARMENT_TAGGING_PASSWORD']
  if (given) return given
  if (process.stdin.isTTY) {
    process.stderr.write('Password: ')
    const password = await questionOn(silent, '', signal)
    process.stderr.write('\n')
    return password
  }
  const password = await questionOn(silent, '', signal)
  if (password === '') throw new UsageError('Give the password on the standard input or in GARMENT_TAGGING_PASSWORD.')
  return password
}

async function questionOn(output: NodeJS.WritableStream, question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY })
  // A terminal that reads key by key does not send the signal by itself.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  // The end of the input is an empty answer.
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  try {
    return await Promise.race([terminal.question(question, { signal }), ended])
  } finally {
    terminal.close()
  }
}
