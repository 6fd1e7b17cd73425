import { checkPattern } from 'anonymisation-engine/rules'
import { ProblemError } from '../api/problems.ts'
import type { NewRule } from '../api/rules.ts'
import type { Caller } from '../http/caller.ts'
import { checkLists } from './lists.ts'
import { checkModel } from './models.ts'

/** Type and config of a rule as they are to be stored. */
type Body = Pick<NewRule, 'type' | 'config'>

/** Refuses a rule that could not be run: every fault of its pattern, or a model that is not there (422). `at` is its place. */
export async function checkRule({ type, config }: Body, user: Caller, at: readonly string[] = ['body']): Promise<void> {
  if (type === 'LIST') {
    const { listId } = (config as ListConfig).listRuleConfig
    return checkLists([{ listId, loc: [...at, 'config', 'listRuleConfig', 'listId'] }], user)
  }
  if (type === 'AIMODEL') return checkModel((config as ModelConfig).aiModelRuleConfig, at)
  const verdict = checkPattern((config as PatternConfig).regexRuleConfig)
  if (verdict.ok) return
  const loc = [...at, 'config', 'regexRuleConfig']
  throw new ProblemError(
    verdict.problems.map(problem => ({
      type: problem.type,
      msg: problem.position === undefined ? problem.msg : `${problem.msg} (at position ${problem.position})`,
      loc: [...loc, problem.type === 'validator_unknown' ? 'validator' : 'pattern'],
    })),
  )
}

type PatternConfig = Extract<NewRule, { type: 'REGEX' }>['config']
type ListConfig = Extract<NewRule, { type: 'LIST' }>['config']
type ModelConfig = Extract<NewRule, { type: 'AIMODEL' }>['config']

const configKeys = { REGEX: 'regexRuleConfig', AIMODEL: 'aiModelRuleConfig', LIST: 'listRuleConfig' } as const

/** The list that a rule names, if it is one of that type. */
export const listsOf = (rule: Body): string[] =>
  rule.type === 'LIST' ? [(rule.config as ListConfig).listRuleConfig.listId] : []

/** Type and config if they belong together; refused otherwise (422 `config_mismatch`). */
export function configOfType({ type, config }: { type: string; config: object }): Body {
  const key = configKeys[type as keyof typeof configKeys]
  if (key in config) return { type, config } as Body
  throw new ProblemError({
    type: 'config_mismatch',
    msg: `A rule of type ${type} needs ${key}`,
    loc: ['body', 'config', key],
  })
}
