import { GarmentTaggingError } from '../connection.ts'
import { type Command, tell, UsageError } from './command.ts'
import { exportCommand } from './export-command.ts'
import { listen } from './listen-command.ts'
import { redeliver } from './redeliver-command.ts'
import { signIn } from './sign-in-command.ts'
import { upload } from './upload-command.ts'

const commands = new Map<string, Command>(
  Object.entries({ 'sign-in': signIn, upload, export: exportCommand, listen, redeliver }),
)

const help = `Usage: garment-tagging COMMAND [options]

Commands:
${Array.from(commands, ([name, { summary }]) => `  ${name.padEnd(11)}${summary}`).join('\n')}

garment-tagging COMMAND --help explains a command. Instead of signing in you can set
GARMENT_TAGGING_URL, GARMENT_TAGGING_API_KEY and GARMENT_TAGGING_DOMAIN. At the rate limit, a
command waits. If the service does not respond, it gives up after 30 seconds.

Exit codes: 0 success, 1 something failed, 2 wrong arguments, 130 interrupted by Ctrl+C.`

export async function runCommandLine(args: readonly string[], signal: AbortSignal, version: string): Promise<number> {
  const [name = '--help', ...options] = args
  const command = commands.get(name)
  try {
    if (name === '--version') return print(version)
    if (name === '--help' || name === '-h' || name === 'help') return print(help)
    if (command === undefined) throw new UsageError(`There is no command ${name}.`)
    if (options.includes('--help') || options.includes('-h')) return print(command.help)
    return await command.run(options, { signal })
  } catch (error) {
    // Prompts throw an AbortError of their own instead of the signal's reason.
    if (signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError')))
      return 130
    const problem = usageProblem(error)
    if (problem === null) return reportFailure(error, name)
    tell(`${problem}\nSee garment-tagging ${command === undefined ? '' : `${name} `}--help`)
    return 2
  }
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

function usageProblem(error: unknown): string | null {
  if (error instanceof UsageError) return error.message
  const isParseError = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  // Node.js adds a second sentence about positional arguments that begin with a dash.
  return isParseError ? error.message.replace(/\. .*/, '.') : null
}

function reportFailure(error: unknown, command: string): number {
  tell(error instanceof Error ? error.message : String(error))
  if (error instanceof GarmentTaggingError && error.status === 401 && command !== 'sign-in')
    tell('The key may have been revoked. Run "garment-tagging sign-in" again.')
  if (error instanceof GarmentTaggingError && error.status >= 500 && error.requestId !== null)
    tell(`The request ID is ${error.requestId}.`)
  return 1
}
