import { checkPattern } from 'anonymisation-engine/rules'
import { Refusal } from '../api/problems.ts'
import type { NewRule } from '../api/rules.ts'
import { checkModel } from './models.ts'

/** Type and config of a rule as they are to be stored. */
type Body = Pick<NewRule, 'type' | 'config'>

/** Refuses a rule that could not be run: every fault of its pattern, or a model that is not there (422). `at` is its place. */
export async function checkRule({ type, config }: Body, at: readonly string[] = ['body']): Promise<void> {
  if (type === 'AIMODEL') return checkModel((config as ModelConfig).aiModelRuleConfig, at)
  const verdict = checkPattern((config as PatternConfig).regexRuleConfig)
  if (verdict.ok) return
  const loc = [...at, 'config', 'regexRuleConfig']
  throw new Refusal(
    verdict.problems.map(problem => ({
      type: problem.type,
      msg: problem.position === undefined ? problem.msg : `${problem.msg} (at position ${problem.position})`,
      loc: [...loc, problem.type === 'validator_unknown' ? 'validator' : 'pattern'],
    })),
  )
}

type PatternConfig = Extract<NewRule, { type: 'REGEX' }>['config']
type ModelConfig = Extract<NewRule, { type: 'AIMODEL' }>['config']

/** Type and config if they belong together; refused otherwise (422 `config_mismatch`). */
export function fitting({ type, config }: { type: string; config: object }): Body {
  const key = type === 'REGEX' ? 'regexRuleConfig' : 'aiModelRuleConfig'
  if (key in config) return { type, config } as Body
  throw new Refusal({
    type: 'config_mismatch',
    msg: `A rule of type ${type} needs ${key}`,
    loc: ['body', 'config', key],
  })
}
