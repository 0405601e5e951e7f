import { readFileSync } from 'node:fs'

export interface Block {
  /** File and line, for test names. */
  readonly place: string
  /** Language named after the opening fence. */
  readonly language: string
  readonly code: string
  /** Reason not to run it, from the comment before it. */
  readonly notRun: string | null
}

const pattern = /(?:^<!-- not run: (?<reason>[^>]+?) -->\n+)?^```(?<language>\w*)\n(?<code>.*?)^```$/gms

/** Reads the code blocks of a Markdown file, in order. */
export function readBlocks(path: string): Block[] {
  const text = readFileSync(path, 'utf8')
  return Array.from(text.matchAll(pattern), ({ index, groups = {} }) => ({
    place: `${path}:${text.slice(0, index).split('\n').length}`,
    language: groups['language'] ?? '',
    code: groups['code'] ?? '',
    notRun: groups['reason'] ?? null,
  }))
}
