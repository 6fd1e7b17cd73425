import type { Readable } from 'node:stream'
import { bounded } from '../bounded.ts'
import type { Connector, Entry, SourceContext, WriteTarget } from '../connector.ts'
import { SourceError } from '../errors.ts'
import type { HttpAnswer } from '../http.ts'
import { mediaType, promised } from '../media-types.ts'
import { below, lastPart, pathOf, relativePath } from '../paths.ts'
import {
  API,
  type DriveFile,
  exports,
  FIELDS,
  FOLDER,
  findPath,
  type GoogleConfig,
  type GoogleDrive,
  listFolder,
  openGoogle,
  shownName,
} from './google-session.ts'
import { uploadPieces } from './upload.ts'

/** Pieces of an upload are multiples of 256 KiB. */
const PIECE = 16 * 256 * 1024

async function withDrive<T>(context: SourceContext, config: GoogleConfig, use: (drive: GoogleDrive) => Promise<T>) {
  const drive = await openGoogle(context, config)
  try {
    return await use(drive)
  } finally {
    drive.http.close()
  }
}

const entryOf = (name: string, file: DriveFile): Entry => {
  if (file.mimeType === FOLDER) return { name, type: 'folder', supported: true }
  // Forms, shortcuts and the like have no content to load.
  const loadable = !file.mimeType.startsWith('application/vnd.google-apps.') || exports[file.mimeType]
  return {
    name,
    type: 'file',
    ...(loadable ? promised(name) : { supported: false }),
    ...(file.size === undefined ? {} : { size: Number(file.size) }),
    ...(file.modifiedTime ? { modifiedAt: file.modifiedTime } : {}),
    ...((file.md5Checksum ?? file.version) ? { etag: file.md5Checksum ?? file.version } : {}),
  }
}

/** CLOUD_DRIVE with provider `google_drive`. */
export const googleDrive: Connector<GoogleConfig> = {
  check: (context, config) =>
    withDrive(context, config, async drive => {
      // A folder that is not there or not shared lists as empty, so it is asked for first.
      if (drive.root !== 'root')
        await drive.json(`${API}/drive/v3/files/${encodeURIComponent(drive.root)}?supportsAllDrives=true&fields=id`)
      const { files } = await listFolder(drive, drive.root, { limit: 100 })
      return {
        server: 'Google Drive',
        protection: 'TLS, certificate verified',
        readable: `${files.length} entries on the first page`,
        warnings: [],
      }
    }),

  discover: (context, config, { path = '', cursor, limit }) =>
    withDrive(context, config, async drive => {
      const folder = relativePath(path)
      const parent = await findPath(drive, folder)
      if (parent?.mimeType !== FOLDER) throw new SourceError('source_not_found')
      const { files, cursor: next } = await listFolder(drive, parent.id, { cursor, limit })
      const entries = files.map(file => entryOf(below(folder, shownName(file)), file))
      return next === undefined ? { entries } : { entries, cursor: next }
    }),

  locate: (context, config, names) =>
    withDrive(context, config, async drive => {
      const found: (Entry | undefined)[] = []
      for (const name of names) {
        const path = pathOf(name)
        const file = path ? await findPath(drive, path) : undefined
        found.push(file && file.mimeType !== FOLDER ? entryOf(path!, file) : undefined)
      }
      return found
    }),

  async read(context, config, name, { start = 0 }) {
    const path = relativePath(name)
    const drive = await openGoogle(context, config)
    try {
      const file = path ? await findPath(drive, path) : undefined
      if (!file || file.mimeType === FOLDER) throw new SourceError('source_not_found')
      const exported = exports[file.mimeType]
      if (!exported && file.mimeType.startsWith('application/vnd.google-apps.'))
        throw new SourceError('source_unsupported', 'This has no content that could be loaded')
      if (Number(file.size ?? 0) > context.limits.bytes) throw new SourceError('source_limit_exceeded')
      const url = `${API}/drive/v3/files/${encodeURIComponent(file.id)}`
      const { body, status } = exported
        ? await drive.send(`${url}/export?${new URLSearchParams({ mimeType: exported.mimeType })}`)
        : await drive.send(
            `${url}?alt=media&supportsAllDrives=true`,
            start ? { headers: { range: `bytes=${start}-` } } : {},
          )
      if (!exported && start && status !== 206) throw new SourceError('source_failed')
      // An export is made anew for every request and knows no ranges.
      const rest = exported && start ? skipped(body, start) : body
      return {
        entry: entryOf(path, file),
        filename: lastPart(path),
        contentType: exported?.mimeType ?? mediaType(path),
        size: exported || file.size === undefined ? undefined : Number(file.size) - start,
        body: bounded(rest, context, drive.http.close),
      }
    } catch (error) {
      drive.http.close()
      throw error
    }
  },

  write: (context, config, target, body) => withDrive(context, config, drive => upload(drive, target, body)),
}

function skipped(body: Readable, start: number): Readable {
  let left = start
  return body.map((chunk: Buffer) => {
    const kept = chunk.subarray(Math.min(left, chunk.length))
    left -= chunk.length - kept.length
    return kept
  })
}

async function upload(drive: GoogleDrive, { name, mode, size }: WriteTarget, body: Readable) {
  if (mode === 'update') throw new SourceError('source_unsupported', 'Files are created or replaced')
  if (!size)
    throw new SourceError('source_unsupported', 'Only files of a known size, and not empty ones, can be written')
  const path = relativePath(name)
  const existing = await findPath(drive, path)
  if (existing && mode === 'create') throw new SourceError('source_conflict')
  const folder = await findPath(drive, path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
  if (folder?.mimeType !== FOLDER) throw new SourceError('source_not_found', 'The folder to write to does not exist')
  const parameters = new URLSearchParams({ uploadType: 'resumable', supportsAllDrives: 'true', fields: FIELDS })
  const url = `${API}/upload/drive/v3/files${existing ? `/${encodeURIComponent(existing.id)}` : ''}?${parameters}`
  const started = await drive.send(url, {
    method: existing ? 'PATCH' : 'POST',
    headers: { 'content-type': 'application/json', 'x-upload-content-length': String(size) },
    body: JSON.stringify(existing ? {} : { name: lastPart(path), parents: [folder.id], mimeType: mediaType(path) }),
  })
  started.body.resume()
  await uploadPieces(drive.http, String(started.headers.location), { body, size, piece: PIECE, next: nextOf })
  return { name: path, bytes: size }
}

/** Where an upload goes on; undefined once it is complete. */
async function nextOf({ status, headers, body }: HttpAnswer): Promise<number | undefined> {
  body.resume()
  if (status === 200 || status === 201) return
  if (status === 416) return Number.NaN
  const { range } = headers
  return range === undefined ? 0 : Number(/^bytes=0-(\d+)$/.exec(String(range))?.[1] ?? Number.NaN) + 1
}
