import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Creates a sequencer that starts test files whose paths contain one of `names` first, in this order. Name the longest
 * files, so that no worker idles at the end.
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
