import { randomUUID } from 'node:crypto'
import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2'
import { bounded } from '../bounded.ts'
import type { Connector, Entry, SourceContext } from '../connector.ts'
import { untilAborted } from '../egress.ts'
import { SourceError } from '../errors.ts'
import { mediaType, promised } from '../media-types.ts'
import { below, byName, lastPart, page, pathOf, relativePath } from '../paths.ts'
import { call, openSftp, type Session, type SftpConfig, sftpError } from './sftp-session.ts'
import { readFile, writeFile } from './sftp-transfer.ts'
import { expectWhole } from './whole.ts'

async function withSession<T>(
  context: SourceContext,
  config: SftpConfig,
  use: (session: Session) => Promise<T>,
  options?: { trustNew: boolean },
) {
  const session = await openSftp(context, config, options)
  try {
    return await untilAborted(use(session), context.signal)
  } catch (error) {
    throw sftpError(error)
  } finally {
    session.close()
  }
}

/** A call of the protocol that answers nothing. */
const settled = (start: (done: (error?: Error | null) => void) => unknown) =>
  call<void>(done => start(error => done(error, undefined)))

const stat = (sftp: SFTPWrapper, path: string): Promise<Stats | undefined> =>
  call<Stats>(done => sftp.stat(path, done)).catch(absent)

const NO_SUCH_FILE = 2
const absent = (error: { code?: number }): undefined => {
  if (error.code !== NO_SUCH_FILE) throw error
}

const at = (root: string, path: string) => (path ? `${root}/${path}` : root || '/')

const fileEntry = (name: string, stats: Stats): Entry => ({
  name,
  type: 'file',
  ...promised(name),
  size: stats.size,
  modifiedAt: new Date(stats.mtime * 1000).toISOString(),
  etag: `${stats.size}-${stats.mtime}`,
})

/** Every file of a folder, the server asked for them batch by batch. */
async function listAll({ sftp, root }: Session, path: string, most: number): Promise<FileEntryWithStats[]> {
  const handle = await call<Buffer>(done => sftp.opendir(at(root, path), done))
  const all: FileEntryWithStats[] = []
  for (;;) {
    const batch = await call<FileEntryWithStats[]>(done => sftp.readdir(handle, done)).catch(
      (error: { code?: number }) => {
        if (error.code === 1) return []
        throw error
      },
    )
    if (!batch.length) break
    all.push(...batch.filter(({ filename }) => filename !== '.' && filename !== '..' && !filename.includes('/')))
    if (all.length > most) throw new SourceError('source_limit_exceeded', 'The folder holds too many files')
  }
  await settled(done => sftp.close(handle, done))
  return all
}

async function makeFolders(sftp: SFTPWrapper, root: string, folder: string) {
  const parts = folder ? folder.split('/') : []
  for (let depth = 1; depth <= parts.length; depth++) {
    const path = at(root, parts.slice(0, depth).join('/'))
    if (!(await stat(sftp, path))) await settled(done => sftp.mkdir(path, done))
  }
}

/** FTP/SFTP with protocol `sftp`. */
export const sftp: Connector<SftpConfig> = {
  check: (context, config) =>
    withSession(
      context,
      config,
      async session => {
        const files = await listAll(session, '', context.limits.entries)
        const pinned = config.host_key_fingerprints !== undefined
        return {
          server: session.server,
          protection: `SSH, host key ${session.hostKey}${pinned ? ', as pinned' : ', seen for the first time'}`,
          readable: `${files.length} entries in the folder`,
          hostKey: session.hostKey,
          warnings: pinned ? [] : ['The host key was taken as shown: compare it with the one the operator names'],
        }
      },
      { trustNew: true },
    ),

  discover: (context, config, { path = '', cursor, limit }) =>
    withSession(context, config, async session => {
      const folder = relativePath(path)
      const listed = await listAll(session, folder, context.limits.entries)
      const named = listed.map(({ filename, attrs }) => ({ name: below(folder, filename), attrs })).sort(byName)
      const { entries, cursor: next } = page(named, { cursor, limit })
      const known: Entry[] = []
      for (const { name, attrs } of entries) {
        // What a link leads to is what the account may read anyway; one that leads nowhere is left out.
        const stats = attrs.isSymbolicLink() ? await stat(session.sftp, at(session.root, name)) : attrs
        if (stats?.isFile()) known.push(fileEntry(name, stats))
        else if (stats?.isDirectory()) known.push({ name, type: 'folder', supported: true })
      }
      return next === undefined ? { entries: known } : { entries: known, cursor: next }
    }),

  locate: (context, config, names) =>
    withSession(context, config, async ({ sftp: connection, root }) => {
      const found: (Entry | undefined)[] = []
      for (const name of names) {
        const path = pathOf(name)
        const stats = path ? await stat(connection, at(root, path)) : undefined
        found.push(stats?.isFile() ? fileEntry(path!, stats) : undefined)
      }
      return found
    }),

  async read(context, config, name, { start = 0 }) {
    const path = relativePath(name)
    const session = await openSftp(context, config)
    const { sftp: connection, root } = session
    try {
      const before = await untilAborted(stat(connection, at(root, path)), context.signal)
      if (!before?.isFile()) throw new SourceError('source_not_found')
      const handle = await call<Buffer>(done => connection.open(at(root, path), 'r', done))
      const stats = await call<Stats>(done => connection.fstat(handle, done))
      if (stats.size > context.limits.bytes) throw new SourceError('source_limit_exceeded')
      const body = bounded(readFile(connection, handle, start, stats.size), context, session.close, sftpError)
      return {
        entry: fileEntry(path, stats),
        filename: lastPart(path),
        contentType: mediaType(path),
        size: stats.size - start,
        body,
      }
    } catch (error) {
      session.close()
      throw context.signal.aborted ? context.signal.reason : sftpError(error)
    }
  },

  async write(context, config, { name, mode, delivery = randomUUID() }, body) {
    if (mode === 'update') throw new SourceError('source_unsupported', 'Files are created or replaced')
    const path = relativePath(name)
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
    const draft = below(folder, `.${delivery}.partial`)
    try {
      return await withSession(context, config, async ({ sftp: connection, root }) => {
        const target = at(root, path)
        if (mode === 'create' && (await stat(connection, target))) throw new SourceError('source_conflict')
        await makeFolders(connection, root, folder)
        // What an attempt that crashed has left; mostly there is nothing.
        await settled(done => connection.unlink(at(root, draft), done)).catch(() => {})
        const handle = await call<Buffer>(done => connection.open(at(root, draft), 'wx', done))
        const bytes = await writeFile(connection, handle, body)
        await settled(done => connection.close(handle, done))
        if (mode === 'replace') await settled(done => connection.ext_openssh_rename(at(root, draft), target, done))
        // The plain rename of the protocol fails where the target exists.
        else
          await settled(done => connection.rename(at(root, draft), target, done)).catch(async error => {
            throw (await stat(connection, target)) ? new SourceError('source_conflict') : error
          })
        expectWhole((await stat(connection, target))?.size, bytes)
        return { name: path, bytes }
      })
    } catch (error) {
      // On a connection of its own: that of the write may be gone, or the call be aborted.
      const own = { ...context, signal: AbortSignal.timeout(10_000) }
      await withSession(own, config, ({ sftp: connection, root }) =>
        settled(done => connection.unlink(at(root, draft), done)),
      ).catch(() => {})
      throw error
    }
  },
}
