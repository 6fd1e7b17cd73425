import { randomUUID } from 'node:crypto'
import { ApiError, type Client } from '../../shared/api/client.ts'
import { erase } from '../../shared/api/flow.ts'
import type { RuleAndReplacement } from './choices.ts'

/** Name of the jobs and workflows of this command; their descriptions, and those of its rules, name the run. */
const NAME = 'npm run anonymise'
/** Age from which what a run has left is nobody's any more, milliseconds. */
const ABANDONED_MS = 24 * 3600 * 1000

/** One run of the command on a service. */
export type Run = {
  client: Client
  /** Name and description of its jobs. */
  named: { name: string; description: string }
  /** How files are read, as far as it is not to be told by their bytes. */
  table?: { encoding?: string }
  /** By what a file of a type is anonymised. */
  choiceFor(type: 'TABLE' | 'DOCUMENT'): { workflowId?: string; presetId?: string }
}

type Made = { id: string; description: string; createdAt: string }
type Ids = { workflows: string[]; rules: string[] }

/** Creates the rules and a workflow per type of asset, does `work` with them, and removes whatever was made, come what may. */
export async function inRun<T>(client: Client, rules: readonly RuleAndReplacement[], work: (run: Run) => Promise<T>) {
  const named = { name: NAME, description: `${NAME}, run ${randomUUID()}` }
  const known: Ids = { workflows: [], rules: [] }
  const old = new Date(Date.now() - ABANDONED_MS).toISOString()
  await removeMade(client, made => made.description.startsWith(NAME) && made.createdAt < old)
  try {
    for (const { rule } of rules) {
      known.rules.push((await client.rules.create({ body: { ...rule, description: named.description } })).id)
    }
    const config = { rules: rules.map(({ replacement }, n) => ({ ruleId: known.rules[n]!, replacement })) }
    for (const supportedAssetType of ['TABLE', 'DOCUMENT'] as const) {
      known.workflows.push((await client.workflows.create({ body: { ...named, supportedAssetType, config } })).id)
    }
    const [table, document] = known.workflows as [string, string]
    return await work({ client, named, choiceFor: type => ({ workflowId: type === 'TABLE' ? table : document }) })
  } finally {
    // By the description as well: what was made may be unknown here when a reply was lost.
    await removeMade(client, made => made.description === named.description, known)
  }
}

async function removeMade(client: Client, ours: (made: Made) => boolean, known: Ids = { workflows: [], rules: [] }) {
  const page = { query: { limit: 1000 }, body: { search: NAME } }
  const idsOf = (records: Made[]) => records.filter(ours).map(({ id }) => id)
  for (const id of idsOf(await client.jobs.list(page))) await erase(client, id)
  for (const id of new Set([...known.workflows, ...idsOf(await client.workflows.list(page))])) {
    await client.workflows.delete({ workflow_id: id }).catch(unlessGone)
  }
  // Rules have names of their own.
  for (const id of new Set([...known.rules, ...idsOf(await client.rules.list({ query: page.query }))])) {
    await client.rules.delete({ rule_id: id }).catch(unlessGone)
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}
