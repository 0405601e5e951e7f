import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Commands that run a code block, by language. */
const programs: Readonly<
  Record<string, { readonly file: string; readonly command: string; readonly args: readonly string[] }>
> = {
  js: { file: 'example.mjs', command: process.execPath, args: [] },
  python: { file: 'example.py', command: 'python3', args: ['-B'] },
  php: { file: 'example.php', command: 'php', args: [] },
  go: { file: 'example.go', command: 'go', args: ['run'] },
}

export const isProgram = (language: string) => Object.hasOwn(programs, language)

/** Languages that a development machine may lack. */
export const furtherLanguages: readonly string[] = ['php', 'go']

/** Runs a program and returns its output. Throws if it fails. */
export async function runProgram(
  language: string,
  code: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const program = programs[language]
  if (program === undefined) throw new Error(`There is no way to run ${language}.`)
  writeFileSync(join(cwd, program.file), code)
  const options = { cwd, env: { ...process.env, ...env } }
  const { stdout } = await promisify(execFile)(program.command, [...program.args, program.file], options)
  return stdout
}
