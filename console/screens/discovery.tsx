import type { NewWorkflow } from '../../shared/api/workflows.ts'
import { call, may } from '../api.ts'
import { percentOf, t } from '../i18n/index.ts'
import { go } from '../router.ts'
import { useLoad } from '../ui/load.ts'
import { Form } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'

type Found = Awaited<ReturnType<typeof call<'assets', 'columns'>>>
type Proposal = NonNullable<Found['workflow']>

/** What the columns of a table are, of a source by its name or of an asset, and the workflow that is proposed for it. */
export function Discovery({ id, name }: { id: string; name?: string }) {
  const words = t.value.discovery
  const look = (): Promise<Found> =>
    name === undefined
      ? call('assets', 'columns', { asset_id: id })
      : call('sources', 'discover', { source_id: id, body: { name } })
  const loaded = useLoad(look, [id, name])
  const { data } = loaded
  if (!data) return <Pending of={loaded} what={words.title} />
  const Title = name === undefined ? 'h2' : 'h3'
  return (
    <section aria-label={words.title}>
      <Title>{words.title}</Title>
      <section class="scroll" tabIndex={0} aria-label={words.columns}>
        <table class="wide">
          <thead>
            <tr>
              {[words.column, words.holds, words.tells, words.share, words.becomes].map(head => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.columns.map(column => (
              <Column key={column.name} column={column} />
            ))}
          </tbody>
        </table>
      </section>
      {data.workflow ? <Make workflow={data.workflow} /> : <p class="muted">{words.nothing}</p>}
    </section>
  )
}

function Column({
  column: { name, nativeType, status, labels, role, share, replacement },
}: {
  column: Found['columns'][number]
}) {
  const words = t.value.discovery
  const holds = status === 'identified' ? (labels[0] ?? words.sensitive) : words.status[status]
  return (
    <tr>
      <th scope="row">
        {name} {nativeType ? <small class="muted">{nativeType}</small> : null}
      </th>
      <td>
        {holds} {status === 'text' && labels.length > 0 ? <small class="muted">{labels.join(', ')}</small> : null}
      </td>
      <td>{role ? words.roles[role] : ''}</td>
      <td>{labels.length > 0 || role ? percentOf(share) : ''}</td>
      <td>{replacement ? words.forms[Object.keys(replacement)[0] as keyof typeof words.forms] : words.stays}</td>
    </tr>
  )
}

/** Makes the proposed workflow with its rules, and opens it. */
function Make({ workflow }: { workflow: Proposal }) {
  const words = t.value.discovery
  const make = async () => {
    const { id } = await call('workflows', 'create', { body: await asWorkflow(workflow) })
    go('workflows', id)
  }
  return (
    <>
      <p class="muted">{words.hint}</p>
      {may('workflows:write') && may('rules:write') ? (
        <Form submit={make} label={words.make}>
          {null}
        </Form>
      ) : null}
    </>
  )
}

/** The workflow with rules that are made for it. */
async function asWorkflow({ name, rules, risk }: Proposal): Promise<NewWorkflow> {
  const entries: NewWorkflow['config']['rules'] = []
  for (const { rule, entries: uses } of rules) {
    const { id: ruleId } = await call('rules', 'create', { body: rule })
    entries.push(...uses.map(use => ({ ruleId, ...use })))
  }
  const config = { rules: entries, ...(risk && { risk: { ...risk, threshold: 0.2 } }) }
  return { name, description: '', supportedAssetType: 'TABLE', config }
}
