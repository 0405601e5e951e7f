import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the packed client. It is also unpacked, in `dist/client`. */
    clientTarball: string
  }
}

/** Vitest's global setup: packs the client once, since test files that run at the same time use it. */
export function setup(project: TestProject): void {
  const path = String(execFileSync('npm', ['run', '--silent', 'client:pack'])).trim()
  project.provide('clientTarball', resolve(path))
}
