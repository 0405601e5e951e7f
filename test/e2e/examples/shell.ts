import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every answer that a block gets is kept, also of those whose output the block reads itself. */
const prelude = (answers: string) => `set -euo pipefail
curl() {
  command curl "$@" | tee -a ${answers}
  echo >> ${answers}
}
`

export interface Shell {
  /** Runs a block in the state that those before it left. Returns the answers of the service. */
  readonly run: (code: string) => Promise<string[]>
  /** The value of a variable; empty if it is not set. */
  readonly read: (name: string) => Promise<string>
  readonly close: () => void
}

/** A shell, as a developer has it open while reading. */
export function openShell(cwd: string, env: Readonly<Record<string, string>>): Shell {
  const answers = join(cwd, 'answers.txt')
  const child = spawn('bash', { cwd, env: { ...process.env, ...env } })
  let output = ''
  let check = () => {}
  let fail: (cause: Error) => void = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk)
      check()
    })
  child.once('close', () => fail(new Error('The shell has ended.')))
  child.stdin.on('error', (error) => fail(error))
  child.stdin.write(prelude(answers))
  let runs = 0

  async function run(code: string) {
    const end = `end of block ${++runs}`
    const path = join(cwd, 'block.sh')
    writeFileSync(path, code)
    writeFileSync(answers, '')
    output = ''
    await new Promise<void>((resolve, reject) => {
      check = () => void (output.includes(end) && resolve())
      fail = (cause) => reject(new Error(`The block failed:\n${code}\n${output}`, { cause }))
      child.stdin.write(`source ${path}\necho '${end}'\n`)
    })
    return readFileSync(answers, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  }

  return {
    run,
    async read(name) {
      await run(`printf '%s' "\${${name}-}"`)
      return output.split('end of block')[0] ?? ''
    },
    close: () => void child.kill(),
  }
}
