import type { Plan, PlannedRule } from 'anonymisation-engine'
import type { NewRule } from '../../shared/api/rules.ts'
import type { Bar } from './bar.ts'
import type { RuleAndReplacement } from './choices.ts'
import { anonymiseFile } from './file.ts'
import type { Task } from './find.ts'
import type { Outcome } from './outcome.ts'
import type { Outputs } from './outputs.ts'
import { saveReceipts } from './receipts.ts'
import { inRun, type Run } from './run.ts'
import { openService } from './service.ts'
import { troubleOf } from './troubles.ts'

/** Files that are under way at the same time. */
const AT_ONCE = 4

/** A rule of a plan as a service takes it. */
export function ruleOf({ name, detection, replacement }: PlannedRule): RuleAndReplacement {
  const described = { name, description: '' }
  if (detection.type === 'REGEX') {
    const { type, ...regexRuleConfig } = detection
    return { rule: { ...described, type, config: { regexRuleConfig } }, replacement }
  }
  if (detection.type === 'LIST') throw new Error('Lists are kept by services')
  const { type, modelId, modelVersion, confidenceThreshold, entities, language } = detection
  const modelParameters = {
    confidence_threshold: confidenceThreshold,
    ...(entities && { entities }),
    ...(language && { language }),
  }
  const rule: NewRule = {
    ...described,
    type,
    config: { aiModelRuleConfig: { modelId, modelVersion, modelParameters } },
  }
  return { rule, replacement }
}

type There = {
  url: string
  plan: Plan
  options: Run['table']
  tasks: Task[]
  outputs: Outputs
  /** Whether to wait for the receipts of the certificates. */
  receipts: boolean
  signal: AbortSignal
  bar: Bar | undefined
}

/** Anonymises files on a service, and leaves nothing of them there. */
export async function anonymiseThere(
  { url, plan, options, tasks, outputs, receipts, signal, bar }: There,
  environment: NodeJS.ProcessEnv,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const client = await openService(url, environment)
  signal.throwIfAborted()
  await inRun(client, plan.rules.map(ruleOf), async run => {
    const left = tasks.entries()
    const worker = async () => {
      for (const [n, task] of left) {
        const { file } = task
        const told = (bytes: number) => bar?.progress(file, bytes)
        const failed = (error: Error): Outcome => ({
          file,
          findings: [],
          problems: [troubleOf(error) ?? error.message],
        })
        outcomes[n] = await (signal.aborted
          ? failed(signal.reason)
          : anonymiseFile({ ...run, table: options }, task, outputs, { signal, told }).catch(failed))
        bar?.finish(file)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  })
  signal.throwIfAborted()
  return receipts ? saveReceipts(client, outcomes, signal) : outcomes
}
