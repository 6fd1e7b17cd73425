import { ProblemError } from '../../shared/api/problems.ts'
import { workflows } from '../../shared/api/workflows.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { checkConfig, checkExclusions, checkFits, excludedBy, resolveRules } from '../../shared/rules/resolve.ts'
import { changing, untilChanged } from '../../shared/store/records.ts'
import { removeReferences, writeUsing } from '../../shared/store/references.ts'
import { RULE } from '../../shared/store/rules.ts'
import { LIST } from '../../shared/store/value-lists.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

export const handler = handle(workflows.update)(({ params, body, user, write }) =>
  untilChanged(
    () => findOwned<WorkflowRecord>(WORKFLOW, params.workflow_id, user, 'workflows'),
    async stored => {
      const entries = body.config?.rules ?? stored.config.rules
      checkConfig(body.supportedAssetType ?? stored.supportedAssetType, body.config ?? stored.config)
      const before = new Set(stored.config.rules.map(({ ruleId }) => ruleId))
      const after = new Set(entries.map(({ ruleId }) => ruleId))
      const listsBefore = new Set(excludedBy(stored.config))
      const listsAfter = new Set(excludedBy(body.config ?? stored.config))
      if (body.config) {
        checkFits(entries, await resolveRules(entries, user))
        await checkExclusions(body.config, user)
      }
      const used = [
        { kind: RULE, ids: after.difference(before), otherwise: new ProblemError({ type: 'rule_not_found' }) },
        {
          kind: LIST,
          ids: listsAfter.difference(listsBefore),
          otherwise: new ProblemError({ type: 'list_not_found' }),
        },
      ]
      const changed = changing<WorkflowRecord>(WORKFLOW, stored, body)
      if (!(await writeUsing(stored.id, used, [changed.write], write))) return undefined
      if (body.config) await removeReferences(RULE, [...before.difference(after)], stored.id)
      await removeReferences(LIST, [...listsBefore.difference(listsAfter)], stored.id)
      return changed.after
    },
  ),
)
