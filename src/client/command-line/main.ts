#!/usr/bin/env node
import { GarmentTaggingError } from '../connection.ts'
import { tell, UsageError, type Command } from './command.ts'
import { correct, deleteCommand, exportCommand, query, redeliver } from './garments.ts'
import { importCommand } from './import.ts'
import { listen } from './listen.ts'
import { search } from './search.ts'
import { signIn, signOut, signUp } from './sign-in.ts'
import { upload } from './upload.ts'

/** Set when the package is built. */
declare const packageVersion: string

const commands: Readonly<Record<string, Command>> = {
  'sign-up': signUp,
  'sign-in': signIn,
  'sign-out': signOut,
  upload,
  import: importCommand,
  query,
  search,
  correct,
  delete: deleteCommand,
  export: exportCommand,
  listen,
  redeliver,
}

const help = `Usage: garment-tagging COMMAND [options]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(11)}${summary}`)
  .join('\n')}

garment-tagging COMMAND --help explains a command. Instead of signing in you can set
GARMENT_TAGGING_URL, GARMENT_TAGGING_API_KEY and GARMENT_TAGGING_DOMAIN. Requests beyond the rate
limit wait by themselves; without any response a command gives up after 30 seconds.

Exit codes: 0 all went well, 1 something failed, 2 wrong arguments, 130 ended by Ctrl+C.`

async function main([name = '--help', ...args]: readonly string[], signal: AbortSignal): Promise<number> {
  if (name === '--version') return print(packageVersion)
  if (name === '--help' || name === '-h' || name === 'help') return print(help)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw new UsageError(`There is no command ${name}.`)
  if (args.includes('--help') || args.includes('-h')) return print(command.help)
  return await command.run(args, { signal })
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

function exitCodeOf(error: unknown): number {
  // The reader of a pipe, such as `head`, has seen enough.
  if (outputError !== undefined) return outputError === 'EPIPE' ? 0 : 1
  // A prompt has an error of its own for it.
  const { aborted, reason } = interrupted.signal
  if (aborted && (error === reason || (error instanceof Error && error.name === 'AbortError'))) return 130
  if (error instanceof UsageError) return tellUsage(error.message)
  // Node.js adds a second sentence, about positional arguments that begin with a dash.
  if (isParseError(error)) return tellUsage(error.message.replace(/\. .*/, '.'))
  tell(error instanceof Error ? error.message : String(error))
  if (error instanceof GarmentTaggingError && error.status === 401 && !commandName().startsWith('sign-'))
    tell('The key may have been revoked. Run "garment-tagging sign-in" again.')
  if (error instanceof GarmentTaggingError && error.status >= 500 && error.requestId !== null)
    tell(`The request was ${error.requestId}.`)
  return 1
}

function tellUsage(message: string): number {
  tell(`${message}\nSee garment-tagging ${commandName()}--help`)
  return 2
}

/** What `parseArgs` throws. */
const isParseError = (error: unknown): error is TypeError =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

const commandName = () => (Object.hasOwn(commands, process.argv[2] ?? '') ? `${process.argv[2]} ` : '')

const interrupted = new AbortController()
// A second Ctrl+C ends the process at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
// A terminal that is closed can send it twice.
process.on('SIGHUP', () => interrupted.abort())

let outputError: string | undefined
// Not an exit: `listen` has an endpoint to remove.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  outputError ??= code ?? ''
  interrupted.abort()
})
// After the terminal was closed.
process.stderr.on('error', () => {})

process.exitCode = await main(process.argv.slice(2), interrupted.signal).catch(exitCodeOf)
