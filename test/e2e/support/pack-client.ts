import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the packed client. `dist/client` contains it unpacked. */
    clientTarball: string
  }
}

/** Vitest's global setup: packs the client once for all test files. */
export function setup(project: TestProject): void {
  const path = String(execFileSync('npm', ['run', '--silent', 'client:pack'])).trim()
  project.provide('clientTarball', resolve(path))
}
