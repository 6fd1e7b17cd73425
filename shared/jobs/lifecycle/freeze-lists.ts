import type { Plan } from 'anonymisation-engine'
import { encodeEntries } from '../../store/list-file.ts'
import { putObject } from '../../store/objects.ts'
import { readListFile } from '../../store/value-lists.ts'

/** Makes plans of a job whose lists are copies of their own, which stay as they are until the job is erased. */
export function freezerOf(jobId: string, revision: number): (plan: Plan) => Promise<Plan> {
  const copies = new Map<string, string>()
  const freeze = async (listId: string): Promise<string> => {
    const known = copies.get(listId)
    if (known) return known
    const key = `${jobId}/list-${revision}-${copies.size}.gz`
    copies.set(listId, key)
    await putObject({ bucket: 'results', key }, (await readListFile(listId)) ?? encodeEntries([]), 'application/gzip')
    return key
  }
  return async plan => {
    const rules: Plan['rules'] = []
    for (const rule of plan.rules) {
      const { detection } = rule
      rules.push(
        detection.type === 'LIST' ? { ...rule, detection: { ...detection, list: await freeze(detection.list) } } : rule,
      )
    }
    if (!plan.exclusions) return { ...plan, rules }
    const lists: string[] = []
    for (const listId of plan.exclusions.lists) lists.push(await freeze(listId))
    return { ...plan, rules, exclusions: { ...plan.exclusions, lists } }
  }
}
