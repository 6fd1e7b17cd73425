import { namingTooLong } from './errors.ts'
import { filesOf, openSearch, type SearchCall } from './file-search.ts'
import type { Editor, Input, Output, Workspace } from './formats/format.ts'
import type { Target } from './operators/operator.ts'
import { foundKey } from './operators/scope.ts'
import type { Plan } from './plan.ts'
import { createEditing } from './redact/segments.ts'
import type { Decision } from './review/decisions.ts'
import type { Comparison } from './surrogates/kinds.ts'

/** All that looking for the values of a file, or of a chunk of a table, needs; `compared`: by all plans of the job. */
type FindCall = Omit<SearchCall, 'progress'> & {
  workspace: Workspace
  decisions?: readonly Decision[]
  compared: readonly Comparison[]
}

/** The same plan for looking alone. No replacement is the same for every value, so that each is asked for. */
const looking = ({ risk: _, ...plan }: Plan): Plan => ({
  ...plan,
  rules: plan.rules.map(rule => ({ ...rule, replacement: { hash: {} } })),
})

/** The values that a review had replaced as well. What it left as it was is found all the same. */
const addedBy = (decisions: readonly Decision[] = []): string[] =>
  decisions.flatMap(decision => (decision.action === 'add' && 'value' in decision.at ? [decision.at.value] : []))

const nowhere: Output = { write: async () => {} }

/** Asks for all edits and makes none of them. */
function unchanging(edit: Editor): Editor {
  const { cells } = edit
  return Object.assign(async (batch: Parameters<Editor>[0]) => (await edit(batch)).map(() => []), {
    cells: cells && {
      async edit(batch: Parameters<typeof cells.edit>[0]) {
        await cells.edit(batch)
        return { at: [], texts: [] }
      },
      show: () => {},
    },
  })
}

/**
 * Finds every value of a file that the rules find or a review has added, and keeps marks of them: 64 bits of each under a key, from which
 * `filterOf` makes what all files of a job are anonymised with.
 */
export const findValues = (call: FindCall): Promise<Input> => namingTooLong(() => foundIn(call))

async function foundIn(call: FindCall): Promise<Input> {
  const { secrets, compared, decisions } = call
  const plan = looking(call.plan)
  const search = await openSearch({ ...call, plan })
  const { file, format } = search
  try {
    const { createMarks } = await import('./surrogates/value-marks.ts')
    const { output, input } = await call.workspace.create('values')
    const marks = await createMarks(foundKey(secrets), compared, output)
    const replacer = async (targets: readonly Target[]) => {
      await marks.add(targets.map(({ value }) => value))
      return targets.map(() => '')
    }
    const parts = { plan, detector: search.again(), replacer, format, files: filesOf(search) }
    const { edit } = createEditing(parts, search.extra)
    if (format.type !== 'TABLE' && search.values) await marks.add(search.values)
    else if (edit.cells) await file.write(nowhere, unchanging(edit), [])
    else for await (const batch of file.segments()) await edit(batch.filter(({ hint }) => !hint))
    await marks.add(addedBy(decisions))
    await marks.end()
    return await input()
  } finally {
    await file.close()
  }
}
