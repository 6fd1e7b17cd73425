import { ProblemError } from '../../shared/api/problems.ts'
import { rules } from '../../shared/api/rules.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { checkRule, configOfType, listsOf } from '../../shared/rules/check.ts'
import { changing, untilChanged } from '../../shared/store/records.ts'
import { removeReferences, writeUsing } from '../../shared/store/references.ts'
import { RULE, type RuleRecord } from '../../shared/store/rules.ts'
import { LIST } from '../../shared/store/value-lists.ts'

export const handler = handle(rules.update)(({ params, body, user, write }) =>
  untilChanged(
    () => findOwned<RuleRecord>(RULE, params.rule_id, user, 'rules'),
    async stored => {
      const { type, config } = configOfType({ type: body.type ?? stored.type, config: body.config ?? stored.config })
      const before = new Set(listsOf(stored))
      const after = new Set(listsOf({ type, config }))
      if (body.config) await checkRule({ type, config }, user)
      const otherwise = new ProblemError({ type: 'list_not_found' })
      const lists = { kind: LIST, ids: after.difference(before), otherwise }
      const changes = { name: body.name, description: body.description, type, config } as Partial<RuleRecord>
      const changed = changing<RuleRecord>(RULE, stored, changes)
      if (!(await writeUsing(stored.id, [lists], [changed.write], write))) return undefined
      await removeReferences(LIST, [...before.difference(after)], stored.id)
      return changed.after
    },
  ),
)
