import type { Import } from '../../types.ts'

export interface ImportsState {
  /** Whether any has a line that has not ended. */
  readonly isOpen: boolean
  /** Lines whose garments were tagged, or could not be. */
  readonly ended: number
  readonly refused: number
  /** When the first one was created. */
  readonly since: string | undefined
}

export const sumOf = (imports: readonly Import[]): ImportsState => ({
  isOpen: imports.some(({ done }) => !done),
  ended: imports.reduce((sum, { totals }) => sum + totals.complete + totals.failed, 0),
  refused: imports.reduce((sum, { totals }) => sum + totals.refused, 0),
  since: imports.map(({ created_at }) => created_at).sort()[0],
})
