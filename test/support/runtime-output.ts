import process from 'node:process'
import type { Reporter, TestCase } from 'vitest/node'

interface Line {
  readonly number: number
  readonly text: string
}

/** Maximum number of lines kept. For a test that writes more, only the end is shown. */
const maxLines = 2000
const maxShown = 200

/**
 * True for output of workerd: log lines of the service, and stack traces of connections that tests break on purpose.
 */
const isOfRuntime = () => new Error().stack?.includes('handleStructuredLogs') ?? false

/**
 * Shows output of the Workers runtime only for failed tests. Otherwise a thousand lines about faults that tests cause
 * would hide the important one. Tests run in two runtimes at once, so lines of other tests can be among them.
 */
export class RuntimeOutput implements Reporter {
  #lines: Line[] = []
  #count = 0
  readonly #startOf = new Map<string, number>()
  readonly #failed: { readonly name: string; readonly lines: readonly string[] }[] = []

  onInit(): void {
    for (const stream of [process.stdout, process.stderr]) {
      const write = stream.write.bind(stream)
      stream.write = ((...given: Parameters<typeof write>) => {
        if (!isOfRuntime()) return write(...given)
        this.#keep(String(given[0]).trimEnd())
        return true
      }) as typeof stream.write
    }
  }

  #keep(text: string): void {
    this.#lines.push({ number: this.#count++, text })
    if (this.#lines.length > maxLines) this.#lines = this.#lines.slice(-maxLines / 2)
  }

  onTestCaseReady({ id }: TestCase): void {
    this.#startOf.set(id, this.#count)
  }

  onTestCaseResult(test: TestCase): void {
    const start = this.#startOf.get(test.id) ?? this.#count
    this.#startOf.delete(test.id)
    if (test.result().state !== 'failed') return
    const lines = this.#lines.filter(({ number }) => number >= start).map(({ text }) => text)
    this.#failed.push({ name: `${test.module.relativeModuleId} > ${test.fullName}`, lines: lines.slice(-maxShown) })
  }

  onTestRunEnd(): void {
    for (const { name, lines } of this.#failed)
      if (lines.length > 0) process.stderr.write(`\nPrinted during ${name}:\n${lines.join('\n')}\n`)
  }
}
