import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plan } from 'anonymisation-engine'
import { readWhole } from '../../store/objects.ts'

/** Files with the values of the lists that a plan names, by those names. */
export type ListFiles = Record<string, string>

/** Brings the lists of a plan to a folder of this machine. */
export async function fetchLists({ rules, exclusions }: Plan, directory: string): Promise<ListFiles> {
  const named = rules.flatMap(({ detection }) => (detection.type === 'LIST' ? [detection.list] : []))
  const files: ListFiles = {}
  for (const [n, key] of [...new Set([...named, ...(exclusions?.lists ?? [])])].entries()) {
    files[key] = join(directory, `list-${n}`)
    await writeFile(files[key], await readWhole({ bucket: 'results', key }))
  }
  return files
}
