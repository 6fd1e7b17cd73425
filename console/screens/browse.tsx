import { useState } from 'preact/hooks'
import { type CallError, call, may } from '../api.ts'
import { numberOf, sizeOf, t } from '../i18n/index.ts'
import { go } from '../router.ts'
import { asCallError, useAsk } from '../ui/load.ts'
import { Failure } from '../ui/parts.tsx'
import { NotLoaded } from '../ui/pending.tsx'
import { Discovery } from './discovery.tsx'

type Preview = Awaited<ReturnType<typeof call<'sources', 'preview'>>>
type Entry = Extract<Preview, { entries: unknown }>['entries'][number]
type Shown = Extract<Preview, { entry: unknown }>

/** The folders, files and tables of a stored source, looked at when asked for. */
export function Browse({ id, kind }: { id: string; kind: string }) {
  const words = t.value.source
  const [path, setPath] = useState<string>()
  const [entries, setEntries] = useState<Entry[]>([])
  const [cursor, setCursor] = useState<string>()
  const [shown, setShown] = useState<Shown>()
  const { error, reload, ask: begin } = useAsk()
  const ask = <T extends Preview>(body: object, take: (preview: T) => void) =>
    begin(() => call('sources', 'preview', { source_id: id, body }).then(preview => take(preview as T)))
  const open = (folder: string, from?: string) =>
    ask<{ entries: Entry[]; cursor?: string }>(
      { ...(folder && { path: folder }), ...(from && { cursor: from }) },
      page => {
        setPath(folder)
        setShown(undefined)
        setEntries(before => [...(from ? before : []), ...page.entries])
        setCursor(page.cursor)
      },
    )
  const look = (entry: Entry) =>
    entry.type === 'folder' ? open(entry.name) : ask<Shown>({ name: entry.name }, setShown)
  return (
    <>
      <h2>{words.content}</h2>
      {error ? <NotLoaded what={words.content} error={error} reload={reload} /> : null}
      {path === undefined ? (
        <button type="button" onClick={() => open('')}>
          {words.look}
        </button>
      ) : (
        <nav class="row" aria-label={words.content}>
          {['', ...foldersOf(path)].map(folder => (
            <button key={folder} type="button" class="plain" onClick={() => open(folder)}>
              {folder ? lastPart(folder) : words.root}
            </button>
          ))}
        </nav>
      )}
      {path !== undefined && entries.length === 0 ? <p class="muted">{words.emptyFolder}</p> : null}
      <ul class="files">
        {entries.map(entry => (
          <li key={entry.name}>
            <button type="button" class="plain name" onClick={() => look(entry)}>
              {lastPart(entry.name)}
              {entry.type === 'folder' ? '/' : ''}
            </button>
            <span class="muted">{aboutOf(entry)}</span>
          </li>
        ))}
      </ul>
      {cursor ? (
        <button type="button" onClick={() => open(path!, cursor)}>
          {t.value.found.more}
        </button>
      ) : null}
      {shown ? (
        <>
          <Sample {...shown} />
          <Uses key={shown.entry.name} id={id} kind={kind} entry={shown.entry} />
        </>
      ) : null}
    </>
  )
}

const lastPart = (name: string) => name.slice(name.lastIndexOf('/') + 1)

/** The folders on the way to one, from the outermost. */
const foldersOf = (path: string): string[] => {
  const parts = path.split('/').filter(Boolean)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function aboutOf({ type, size, rows, supported }: Entry): string {
  const words = t.value.source
  const facts = [
    type === 'file' || type === 'folder' ? undefined : words.types[type],
    size === undefined ? undefined : sizeOf(size),
    rows === undefined ? undefined : words.rows(numberOf(rows)),
    supported || type === 'folder' ? undefined : words.unsupported,
  ]
  return facts.filter(Boolean).join(', ')
}

/** What can be done with a file or table: a job of it, and for tables a look at what the columns hold. */
function Uses({ id, kind, entry: { name, assetType, supported } }: { id: string; kind: string; entry: Entry }) {
  const [isDiscovering, setDiscovering] = useState(false)
  const [failure, setFailure] = useState<CallError>()
  const load = () => {
    const body = { sourceId: id, sourceType: kind, files_load_config: { filenames: [name] } }
    call('jobs', 'load', { body }).then(
      job => go('jobs', job.id),
      reason => setFailure(asCallError(reason)),
    )
  }
  if (!supported) return null
  return (
    <>
      <p class="row">
        {may('jobs:write') ? (
          <button type="button" onClick={load}>
            {t.value.source.load}
          </button>
        ) : null}
        {assetType === 'TABLE' ? (
          <button type="button" aria-expanded={isDiscovering} onClick={() => setDiscovering(!isDiscovering)}>
            {t.value.discovery.title}
          </button>
        ) : null}
      </p>
      <Failure error={failure} />
      {isDiscovering ? <Discovery id={id} name={name} /> : null}
    </>
  )
}

/** What is known of one file, or the first rows of a table. */
function Sample({ entry, columns, rows }: Shown) {
  if (!columns) {
    return (
      <p role="status">
        <strong>{entry.name}</strong> <span class="muted">{aboutOf(entry)}</span>
      </p>
    )
  }
  return (
    <section class="scroll" tabIndex={0} aria-label={entry.name}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, nativeType }) => (
              <th key={name} scope="col">
                {name} <small class="muted">{nativeType}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{cell ?? <span class="muted">NULL</span>}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
