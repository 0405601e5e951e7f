#!/usr/bin/env node
import { runCommandLine } from './run-command-line.ts'

declare const packageVersion: string

const interrupted = new AbortController()
// A second Ctrl+C ends the process at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
// A closing terminal can send SIGHUP twice.
process.on('SIGHUP', () => interrupted.abort())

let outputError: string | undefined
// Aborts instead of exiting, because `listen` has to remove its endpoint first.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  outputError ??= code ?? ''
  interrupted.abort()
})
// Standard error cannot be written after the terminal was closed.
process.stderr.on('error', () => {})

const exitCode = await runCommandLine(process.argv.slice(2), interrupted.signal, packageVersion)
// A reader that closes the pipe early, such as `head`, is no failure.
process.exitCode = outputError === undefined ? exitCode : outputError === 'EPIPE' ? 0 : 1
