import { readFileSync } from 'node:fs'

export interface Block {
  /** File and line, for messages. */
  readonly place: string
  /** The info string. */
  readonly language: string
  readonly code: string
  /** Why it is not run, from a comment before it. */
  readonly notRun: string | null
}

const pattern = /(?:^<!-- not run: (?<reason>[^>]+?) -->\n+)?^```(?<language>\w*)\n(?<code>.*?)^```$/gms

/** The blocks of code of a Markdown file, in their order. */
export function readBlocks(path: string): Block[] {
  const text = readFileSync(path, 'utf8')
  return Array.from(text.matchAll(pattern), ({ index, groups = {} }) => ({
    place: `${path}:${text.slice(0, index).split('\n').length}`,
    language: groups['language'] ?? '',
    code: groups['code'] ?? '',
    notRun: groups['reason'] ?? null,
  }))
}
