import { bounded } from '../bounded.ts'
import type { Connector, Entry, SourceContext } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { type Http, type HttpAnswer, type HttpRequest, readJson } from '../http.ts'
import { mediaType, promised } from '../media-types.ts'
import { below, lastPart, pathOf, relativePath } from '../paths.ts'
import { type Drive, type OnedriveConfig, openLibrary, openOnedrive, type SiteConfig } from './graph-session.ts'
import { uploadPieces } from './upload.ts'

type Item = {
  id: string
  name: string
  size?: number
  eTag?: string
  lastModifiedDateTime?: string
  file?: unknown
  folder?: unknown
  package?: unknown
  malware?: unknown
}

const FIELDS = '$select=id,name,size,eTag,lastModifiedDateTime,file,folder,package,malware'
/** Pieces of an upload are multiples of 320 KiB. */
const PIECE = 16 * 320 * 1024

/** URL of what lies at a path of the drive, `suffix` being `/children` or the like. */
const itemUrl = (drive: Drive, path: string, suffix = '') =>
  path
    ? `${drive.url}/root:/${path.split('/').map(encodeURIComponent).join('/')}${suffix ? `:${suffix}` : ''}`
    : `${drive.url}/root${suffix}`

/** Notebooks and other packages are no files, and what is marked as malware stays where it is. */
const entryOf = (folder: string, item: Item): Entry => {
  const name = below(folder, item.name)
  if (item.folder) return { name, type: 'folder', supported: true }
  const offered = item.package || item.malware ? { supported: false } : promised(name)
  return {
    name,
    type: 'file',
    ...offered,
    ...(item.size === undefined ? {} : { size: item.size }),
    ...(item.lastModifiedDateTime ? { modifiedAt: item.lastModifiedDateTime } : {}),
    ...(item.eTag ? { etag: item.eTag } : {}),
  }
}

/** A drive while it is open, and the folder of it that a source is about. */
type Opened = { drive: Drive; root: string }

function graphConnector<Config extends { folder?: string }>(
  open: (context: SourceContext, config: Config) => Promise<Drive>,
): Connector<Config> {
  const opened = async (context: SourceContext, config: Config): Promise<Opened> => ({
    drive: await open(context, config),
    root: relativePath(config.folder ?? ''),
  })
  const withDrive = async <T>(context: SourceContext, config: Config, use: (opened: Opened) => Promise<T>) => {
    const drive = await opened(context, config)
    try {
      return await use(drive)
    } finally {
      drive.drive.http.close()
    }
  }
  return {
    check: (context, config) => withDrive(context, config, check),
    discover: (context, config, options) => withDrive(context, config, drive => discover(drive, options)),
    locate: (context, config, names) => withDrive(context, config, drive => locate(drive, names)),
    async read(context, config, name, { start = 0 }) {
      const drive = await opened(context, config)
      try {
        return await read(drive, context, relativePath(name), start)
      } catch (error) {
        drive.drive.http.close()
        throw error
      }
    },
    write: (context, config, target, body) =>
      withDrive(context, config, drive => write(drive, context.signal, target, body)),
  }
}

type Methods = Connector<unknown>

async function check({ drive, root }: Opened) {
  const { value } = await drive.json(`${itemUrl(drive, root, '/children')}?$top=200&$select=id`)
  return {
    server: `Microsoft Graph, ${drive.label}`.slice(0, 200),
    protection: 'TLS, certificate verified',
    readable: `${(value as unknown[]).length} entries on the first page`,
    warnings: [],
  }
}

async function discover({ drive, root }: Opened, { path = '', cursor, limit }: Parameters<Methods['discover']>[2]) {
  const folder = relativePath(path)
  const first = `${itemUrl(drive, below(root, folder), '/children')}?${FIELDS}&$top=${limit}&$orderby=name`
  const { origin, pathname } = new URL(first)
  if (cursor !== undefined && !cursor.startsWith(`${pathname}?`))
    throw new SourceError('source_not_found', 'The cursor belongs to another folder')
  const answer = await drive.json(cursor === undefined ? first : origin + cursor)
  const entries = (answer.value as Item[]).map(item => entryOf(folder, item))
  const next = answer['@odata.nextLink']
  if (typeof next !== 'string') return { entries }
  const { pathname: nextPath, search } = new URL(next)
  return { entries, cursor: nextPath + search }
}

async function find({ drive, root }: Opened, path: string | undefined): Promise<Item | undefined> {
  if (!path) return undefined
  try {
    return (await drive.json(`${itemUrl(drive, below(root, path))}?${FIELDS}`)) as Item
  } catch (error) {
    if (error instanceof SourceError && error.type === 'source_not_found') return undefined
    throw error
  }
}

async function locate(drive: Opened, names: readonly string[]) {
  const found: (Entry | undefined)[] = []
  for (const name of names) {
    const path = pathOf(name)
    const item = await find(drive, path)
    found.push(item && !item.folder ? { ...entryOf('', item), name: path! } : undefined)
  }
  return found
}

async function read(opened: Opened, context: SourceContext, path: string, start: number) {
  const { drive } = opened
  const item = await find(opened, path)
  if (!item || item.folder) throw new SourceError('source_not_found')
  if (item.package || item.malware)
    throw new SourceError('source_unsupported', item.malware ? 'The file is marked as malware' : 'This is no file')
  if ((item.size ?? 0) > context.limits.bytes) throw new SourceError('source_limit_exceeded')
  const answer = await drive.send(`${drive.url}/items/${encodeURIComponent(item.id)}/content`, { accept: [302] })
  const location = answer.headers.location
  answer.body.resume()
  if (answer.status !== 302 || typeof location !== 'string' || new URL(location).protocol !== 'https:')
    throw new SourceError('source_failed')
  // The address itself is the permission: it must not get the token too.
  const range: HttpRequest = start ? { headers: { range: `bytes=${start}-` } } : {}
  const { body, status } = await drive.http.request(location, range)
  if (start && status !== 206) throw new SourceError('source_failed')
  return {
    entry: { ...entryOf('', item), name: path },
    filename: lastPart(path),
    contentType: mediaType(path),
    size: item.size === undefined ? undefined : item.size - start,
    body: bounded(body, context, drive.http.close),
  }
}

type Write = Parameters<NonNullable<Methods['write']>>

async function write({ drive, root }: Opened, signal: AbortSignal, { name, mode, size }: Write[2], body: Write[3]) {
  if (mode === 'update') throw new SourceError('source_unsupported', 'Files are created or replaced')
  if (!size)
    throw new SourceError('source_unsupported', 'Only files of a known size, and not empty ones, can be written')
  const path = relativePath(name)
  const session = await drive.json(itemUrl(drive, below(root, path), '/createUploadSession'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ item: { '@microsoft.graph.conflictBehavior': mode === 'create' ? 'fail' : 'replace' } }),
  })
  const url = String(session.uploadUrl)
  try {
    await uploadPieces(drive.http, url, { body, size, piece: PIECE, next: nextOf(drive.http, url) })
  } catch (error) {
    // What was sent so far is thrown away by the service, at the latest when the session ends by itself.
    if (!signal.aborted) await drive.http.request(url, { method: 'DELETE' }).catch(() => {})
    throw error
  }
  return { name: path, bytes: size }
}

/** Where an upload goes on; undefined once it is complete. After a piece that does not fit the session says it anew. */
const nextOf =
  (http: Http, url: string) =>
  async ({ status, body }: HttpAnswer): Promise<number | undefined> => {
    const answer = await (status === 416 ? http.json(url) : readJson(body))
    if (status === 200 || status === 201) return
    const [range] = (answer as { nextExpectedRanges?: unknown[] }).nextExpectedRanges ?? []
    return Number(/^(\d+)-/.exec(String(range))?.[1] ?? Number.NaN)
  }

/** SITE_LIBRARY: a document library of SharePoint. */
export const siteLibrary: Connector<SiteConfig> = graphConnector(openLibrary)

/** CLOUD_DRIVE with provider `onedrive`. */
export const onedrive: Connector<OnedriveConfig> = graphConnector(openOnedrive)
