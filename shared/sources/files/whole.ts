import { overtaken } from '../errors.ts'

/**
 * Holds that a file is as large as what was written before it got its name. If a writer loses its lease, the next one begins
 * the same draft anew, and the first may give the name to that. A file that is gone was taken by whoever waited for it.
 * Throws an error after which the file is written again.
 */
export function expectWhole(size: number | undefined, written: number): void {
  if (size !== undefined && size !== written) throw overtaken()
}
