import { randomUUID } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import type { Client, FileInfo } from 'basic-ftp'
import { bounded } from '../bounded.ts'
import type { Connector, Entry, SourceContext } from '../connector.ts'
import { untilAborted } from '../egress.ts'
import { codeOf, SourceError } from '../errors.ts'
import { mediaType, promised } from '../media-types.ts'
import { below, byName, lastPart, page, pathOf, relativePath } from '../paths.ts'
import { type FtpConfig, ftpError, openFtp, type Session } from './ftp-session.ts'
import { expectWhole } from './whole.ts'

async function withSession<T>(context: SourceContext, config: FtpConfig, use: (session: Session) => Promise<T>) {
  const session = await openFtp(context, config)
  try {
    return await untilAborted(use(session), context.signal)
  } catch (error) {
    throw ftpError(error)
  } finally {
    session.close()
  }
}

const at = (root: string, path: string) => (path ? `${root}/${path}` : root || '/')

/** Everything in a folder. The folder is entered first: asked for a folder that is not there, servers list nothing. */
async function listAll({ client, root }: Session, path: string, most: number): Promise<FileInfo[]> {
  await client.cd(at(root, path))
  const files = (await client.list()).filter(
    ({ name, isFile, isDirectory }) => (isFile || isDirectory) && !/^\.\.?$/.test(name),
  )
  if (files.length > most) throw new SourceError('source_limit_exceeded', 'The folder holds too many files')
  return files
}

/** Size of a file, bytes; undefined where there is none. */
async function sizeOf(client: Client, path: string): Promise<number | undefined> {
  try {
    return await client.size(path)
  } catch (error) {
    if (['550', '450'].includes(codeOf(error) ?? '')) return
    throw error
  }
}

async function fileEntry(client: Client, name: string, path: string): Promise<Entry | undefined> {
  const size = await sizeOf(client, path)
  if (size === undefined) return
  const modified = await client.lastMod(path).catch((error: unknown) => {
    // Not every server tells the time of a file.
    if (/^5\d\d$/.test(codeOf(error) ?? '')) return
    throw error
  })
  const modifiedAt = modified?.toISOString()
  return {
    name,
    type: 'file',
    ...promised(name),
    size,
    ...(modifiedAt ? { modifiedAt, etag: `${size}-${modifiedAt}` } : {}),
  }
}

/**
 * The bytes of a file from `start` on. They end only when the server has confirmed the transfer and as many have come as
 * the file has: a data connection that closes early looks like one that is done.
 */
function download(client: Client, path: string, start: number, size: number): Readable {
  let waiting: (() => void) | undefined
  let received = 0
  const body = new Readable({
    highWaterMark: 256 * 1024,
    read() {
      waiting?.()
      waiting = undefined
    },
  })
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      received += chunk.length
      if (body.push(chunk)) done()
      else waiting = done
    },
  })
  client.downloadTo(sink, path, start).then(
    () => {
      if (received === size - start) body.push(null)
      else body.destroy(new SourceError('source_connection_lost'))
    },
    error => {
      const remoteCode = codeOf(error)
      // Whatever ends a transfer that had begun (a reset, half a TLS record, an apology of the server), it broke off.
      if (received) body.destroy(new SourceError('source_connection_lost', undefined, { remoteCode }))
      else body.destroy(remoteCode === '550' ? new SourceError('source_permission_denied') : ftpError(error))
    },
  )
  return body
}

/** FTP/SFTP with the protocols `ftps`, `ftps_implicit` and `ftp`. */
export const ftp: Connector<FtpConfig> = {
  check: (context, config) =>
    withSession(context, config, async session => ({
      server: session.server,
      protection: session.protection,
      readable: `${(await listAll(session, '', context.limits.entries)).length} entries in the folder`,
      warnings: config.protocol === 'ftp' ? ['Password and files travel readable by anyone on the way'] : [],
    })),

  discover: (context, config, { path = '', cursor, limit }) =>
    withSession(context, config, async session => {
      const folder = relativePath(path)
      const listed = await listAll(session, folder, context.limits.entries)
      const entries = listed.map((info): Entry => {
        const name = below(folder, info.name)
        if (info.isDirectory) return { name, type: 'folder', supported: true }
        const modifiedAt = info.modifiedAt?.toISOString()
        return { name, type: 'file', ...promised(name), size: info.size, ...(modifiedAt ? { modifiedAt } : {}) }
      })
      return page(entries.sort(byName), { cursor, limit })
    }),

  locate: (context, config, names) =>
    withSession(context, config, async ({ client, root }) => {
      const found: (Entry | undefined)[] = []
      for (const name of names) {
        const path = pathOf(name)
        found.push(path ? await fileEntry(client, path, at(root, path)) : undefined)
      }
      return found
    }),

  async read(context, config, name, { start = 0 }) {
    const path = relativePath(name)
    const session = await openFtp(context, config)
    const { client, root } = session
    try {
      const entry = path ? await untilAborted(fileEntry(client, path, at(root, path)), context.signal) : undefined
      if (entry?.size === undefined) throw new SourceError('source_not_found')
      if (entry.size > context.limits.bytes) throw new SourceError('source_limit_exceeded')
      const body = download(client, at(root, path), start, entry.size)
      return {
        entry,
        filename: lastPart(path),
        contentType: mediaType(path),
        size: entry.size - start,
        body: bounded(body, context, session.close, ftpError),
      }
    } catch (error) {
      session.close()
      throw ftpError(error)
    }
  },

  async write(context, config, { name, mode, size, delivery = randomUUID() }, body) {
    if (mode === 'update') throw new SourceError('source_unsupported', 'Files are created or replaced')
    const path = relativePath(name)
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
    const draft = below(folder, `.${delivery}.partial`)
    try {
      return await withSession(context, config, async ({ client, root }) => {
        const target = at(root, path)
        if (mode === 'create' && (await sizeOf(client, target)) !== undefined) throw new SourceError('source_conflict')
        await client.ensureDir(at(root, folder))
        await client.uploadFrom(body, at(root, draft))
        const bytes = (await sizeOf(client, at(root, draft))) ?? 0
        await client.rename(at(root, draft), target)
        expectWhole(await sizeOf(client, target), size ?? bytes)
        return { name: path, bytes }
      })
    } catch (error) {
      // On a connection of its own: that of the write may be gone, or the call be aborted.
      const own = { ...context, signal: AbortSignal.timeout(10_000) }
      await withSession(own, config, ({ client, root }) => client.remove(at(root, draft))).catch(() => {})
      throw error
    }
  },
}
