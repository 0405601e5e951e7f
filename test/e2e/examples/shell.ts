import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Records every response, even if the block reads the output itself. */
const prelude = (answers: string) => `set -euo pipefail
curl() {
  command curl "$@" | tee -a ${answers}
  echo >> ${answers}
}
`

export interface Shell {
  /** Runs a block after all earlier ones in the same shell. Returns the service's responses. */
  readonly run: (code: string) => Promise<string[]>
  /** Returns the value of a variable, or an empty text if it is not set. */
  readonly read: (name: string) => Promise<string>
  readonly close: () => void
}

/** Opens a shell, like the one that a developer uses while reading. */
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
  let hasEnded = false
  child.once('close', () => {
    hasEnded = true
    fail(new Error('The shell has ended.'))
  })
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
      // Otherwise each later block would wait for its timeout.
      if (hasEnded) return fail(new Error('An earlier block ended the shell.'))
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
