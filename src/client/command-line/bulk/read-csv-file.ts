import { existsSync, readFileSync } from 'node:fs'
import { binaryFileProblem } from '../../../csv/binary-file-problem.ts'
import { decodeText } from '../../../csv/decode-text.ts'
import { UsageError } from '../command.ts'

/** The text of a file, or of the standard input for `-`. */
export function readCsvFile(path: string): string {
  if (path !== '-' && !existsSync(path)) throw new UsageError(`There is no file ${path}.`)
  const bytes = readFileSync(path === '-' ? 0 : path)
  const problem = binaryFileProblem(bytes)
  if (problem !== null) throw new UsageError(`${path}: ${problem}.`)
  return decodeText(bytes)
}
