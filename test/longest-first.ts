import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * For the order of test files where there are no times of an earlier run: those whose paths contain `names` begin
 * first, in this order. The longest ones, so that at the end no worker waits for another.
 */
export const longestFirst = (names: readonly string[]) =>
  class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const rank = ({ moduleId }: TestSpecification) => {
        const index = names.findIndex((name) => moduleId.includes(name))
        return index === -1 ? names.length : index
      }
      return files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId))
    }
  }
