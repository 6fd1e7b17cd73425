import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { waiting } from './slow.ts'

/** Begins with the files that wait longest, so that none is left to wait alone in the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => waiting.some(file => moduleId.endsWith(file))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}
