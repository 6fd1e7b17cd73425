import { guide, sources } from 'console-guide'
import { t } from '../i18n/index.ts'
import { Inline, Prose } from './schema-view.tsx'

/** Pages of the guide by the name that the address has: what many operations share, and the settings of sources. */
export const pages: { id: string; title: string }[] = [
  ...guide.map(({ id, title }) => ({ id, title })),
  { id: 'source-settings', title: 'Settings of sources' },
]

/** One page of the guide. */
export function GuideView({ id }: { id: string }) {
  const section = guide.find(one => one.id === id)
  if (!section) return <SourceSettings />
  const { title, text, table } = section
  return (
    <article>
      <h2>{title}</h2>
      <Prose text={text} />
      {table ? <Table head={table.head} rows={table.rows} title={title} /> : null}
    </article>
  )
}

const Table = ({ head, rows, title }: { head: string[]; rows: string[][]; title: string }) => (
  <section class="scroll" tabIndex={0} aria-label={title}>
    <table>
      <thead>
        <tr>
          {head.map(cell => (
            <th key={cell} scope="col">
              <Inline text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, n) => (
          <tr key={n}>
            {row.map((cell, n) => (
              <td key={n}>
                <Inline text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** Every way to configure a source: its settings, and a body to send. */
function SourceSettings() {
  const words = t.value.reference
  return (
    <article>
      <h2>{pages.at(-1)!.title}</h2>
      <p>
        <code>POST /sources/</code>, <code>POST /sources/test</code>
      </p>
      {sources.map(({ title, body, settings }) => (
        <details key={title}>
          <summary>
            <Inline text={title} />
          </summary>
          <ul class="fields">
            {settings.map(({ name, isRequired, meaning }) => (
              <li key={name}>
                <code>{name}</code> {isRequired ? null : <small>{words.optional}</small>}{' '}
                <span class="muted">
                  <Inline text={meaning} />
                </span>
              </li>
            ))}
          </ul>
          <pre tabIndex={0}>{JSON.stringify(body, null, 2)}</pre>
        </details>
      ))}
    </article>
  )
}
