import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { t } from '../i18n/index.ts'
import { useLoad } from '../ui/load.ts'
import { Field } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { type Contract, contractOf, type Operation } from './document.ts'
import { GuideView, pages } from './guide-view.tsx'
import { OperationView } from './operation-view.tsx'
import { Fields } from './schema-view.tsx'

type Document = Parameters<typeof contractOf>[0]

/** The contract to read and to try; `id` is an operation, `schema-` with a name, or a page of the guide. */
export function Reference({ id }: { id: string | undefined }) {
  const words = t.value.reference
  const [search, setSearch] = useState('')
  const loaded = useLoad(async () => contractOf((await call('service', 'openapi')) as unknown as Document), [])
  const { data } = loaded
  if (!data) return <Pending of={loaded} what={t.value.menu.reference} isScreen />
  return (
    <div class="reference">
      <nav aria-label={t.value.menu.reference}>
        <search>
          <Field label={t.value.search}>
            <input type="search" value={search} onInput={event => setSearch(event.currentTarget.value)} />
          </Field>
        </search>
        <List contract={data} search={search} id={id} />
      </nav>
      <section>
        <h1>{t.value.menu.reference}</h1>
        <Shown contract={data} id={id} />
        <p class="muted">
          {words.version} {data.version} · <a href="../openapi.json">OpenAPI</a>
        </p>
      </section>
    </div>
  )
}

function Shown({ contract: { operations, schemas }, id }: { contract: Contract; id: string | undefined }) {
  if (id === undefined) return <Start />
  const operation = operations.find(({ operationId }) => operationId === id)
  if (operation) return <OperationView key={id} operation={operation} schemas={schemas} />
  if (pages.some(page => page.id === id)) return <GuideView key={id} id={id} />
  const name = id.replace(/^schema-/, '')
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  if (!schema) return <p class="failure">{t.value.reference.unknown}</p>
  return (
    <article>
      <h2>{name}</h2>
      <Fields schema={schema} />
    </article>
  )
}

const Start = () => (
  <>
    <p>{t.value.reference.start}</p>
    <pre tabIndex={0}>{`api=${new URL('../', document.baseURI).href.replace(/\/$/, '')}
token=$(curl -sS "$api/auth/login" -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.org","password":"…"}' | jq -r .access_token)`}</pre>
    <p>{t.value.reference.errors}</p>
  </>
)

/** What can be looked up, in groups; while somebody searches, whatever has all of their words. */
function List({ contract, search, id }: { contract: Contract; search: string; id: string | undefined }) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (text: string) => words.every(word => text.toLowerCase().includes(word))
  const operations = contract.operations.filter(operation => has(textOf(operation)))
  const groups = [
    [t.value.reference.guide, pages.filter(({ title, id }) => has(`${title} ${id}`))],
    ...Object.entries(Object.groupBy(operations, ({ tags }) => tags[0]!)).map(
      ([tag, members]) =>
        [tag, members!.map(({ operationId, summary }) => ({ id: operationId, title: summary }))] as const,
    ),
    [
      t.value.reference.schemas,
      Object.keys(contract.schemas)
        .filter(has)
        .map(name => ({ id: `schema-${name}`, title: name })),
    ],
  ] as const
  const found = groups.filter(([, entries]) => entries.length > 0)
  if (found.length === 0) return <p class="muted">{t.value.reference.noneFound}</p>
  return (
    <>
      {found.map(([title, entries]) => (
        <details key={title} open={words.length > 0 || entries.some(entry => entry.id === id)}>
          <summary>{title}</summary>
          <ul>
            {entries.map(entry => (
              <li key={entry.id}>
                <a href={`#/reference/${entry.id}`} aria-current={entry.id === id ? 'page' : undefined}>
                  {entry.title}
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  )
}

const textOf = ({ operationId, method, path, summary, description = '' }: Operation) =>
  `${operationId} ${method} ${path} ${summary} ${description}`
