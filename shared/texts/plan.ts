import type { Plan, PlannedRule } from 'anonymisation-engine'
import { checkReplacement } from 'anonymisation-engine/rules'
import { ProblemError } from '../api/problems.ts'
import type { TextsRequest } from '../api/texts.ts'
import { isVisible } from '../http/authorise.ts'
import type { Caller } from '../http/caller.ts'
import { resolveReplacement } from '../jobs/lifecycle/hierarchies.ts'
import { planOf, presetPlan } from '../jobs/lifecycle/plan-of-workflow.ts'
import { checkRule } from '../rules/check.ts'
import { detectionOf } from '../rules/detection.ts'
import { namedPreset } from '../rules/presets.ts'
import { resolveRules } from '../rules/resolve.ts'
import { findRecord } from '../store/records.ts'
import { WORKFLOW, type WorkflowRecord } from '../store/workflows.ts'

type Given = NonNullable<TextsRequest['rules']>

/** A plan, and which of its rules are stored ones. */
export type TextsPlan = Plan & { stored: ReadonlySet<string> }

const all = ({ rules }: Plan) => new Set(rules.map(({ ruleId }) => ruleId))

/** What is to be done with the texts of a request: exactly one of its workflow, its preset and its rules. */
export async function planFor({ workflowId, presetId, rules }: TextsRequest, user: Caller): Promise<TextsPlan> {
  const given = Object.entries({ workflowId, presetId, rules }).filter(([, value]) => value !== undefined)
  if (given.length === 0)
    throw new ProblemError({ type: 'missing', msg: 'Give workflowId, presetId or rules', loc: ['body', 'workflowId'] })
  if (given.length > 1) {
    const msg = 'Give only one of workflowId, presetId and rules'
    throw new ProblemError({ type: 'conflicting_values', msg, loc: ['body', given[1]![0]] })
  }
  if (rules) return planOfRules(rules, user)
  if (presetId) return { ...presetPlan(namedPreset(presetId)), stored: new Set() }
  const workflow = await findRecord<WorkflowRecord>(WORKFLOW, workflowId!)
  const loc = ['body', 'workflowId']
  if (!workflow || !isVisible(user, 'workflows', workflow.ownerId))
    throw new ProblemError({ type: 'workflow_not_found', loc })
  if (workflow.supportedAssetType !== 'DOCUMENT')
    throw new ProblemError({ type: 'asset_type_mismatch', msg: 'Texts need a workflow for documents', loc })
  const plan = await planOf(workflow, user)
  return { ...plan, stored: all(plan) }
}

async function planOfRules(given: Given, user: Caller): Promise<TextsPlan> {
  const placeOf = (n: number) => ['body', 'rules', String(n)]
  const named = given.flatMap((rule, n) => ('ruleId' in rule ? [{ ruleId: rule.ruleId, loc: placeOf(n) }] : []))
  const stored = new Map((await resolveRules(named, user)).map(rule => [rule.id, rule]))
  const rules: PlannedRule[] = []
  for (const [n, rule] of given.entries()) {
    if (!('ruleId' in rule)) await checkRule(rule, user, placeOf(n))
    const known =
      'ruleId' in rule ? stored.get(rule.ruleId)! : { ...rule, id: String(n), name: rule.name ?? `Rule ${n + 1}` }
    const replacement = await resolveReplacement(
      { ruleId: known.id, replacement: rule.replacement ?? { text: '[{{label}}]' } },
      n,
      user,
    )
    const wrong = checkReplacement(replacement).map(({ msg, loc }) => ({
      ...{ type: 'config_mismatch' as const, msg },
      loc: [...placeOf(n), 'replacement', ...loc],
    }))
    if (wrong.length > 0) throw new ProblemError(wrong)
    rules.push({ ruleId: known.id, name: known.name, detection: detectionOf(known), replacement })
  }
  return { rules, assetType: 'DOCUMENT', stored: new Set(stored.keys()) }
}
