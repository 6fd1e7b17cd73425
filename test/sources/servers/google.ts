import type { KeyObject } from 'node:crypto'
import { jwtVerify } from 'jose'
import { type Asked, type Said, startWeb } from './web.ts'

type File = { id: string; name: string; parent: string; mimeType: string; content?: Buffer; denied?: boolean }
const hosts = ['oauth2.googleapis.com', 'www.googleapis.com']
const token = 'google-token'
export const clientEmail = 'reader@project.iam.gserviceaccount.com'
export const folderType = 'application/vnd.google-apps.folder'

const problem = (code: number, reason: string): Said => ({
  status: code,
  body: { error: { code, message: reason, errors: [{ domain: 'global', reason, message: reason }] } },
})

/** A fake of Google Drive, as strict as its documentation: assertions are verified, what it doesn't name is refused. */
export async function startGoogle(publicKey: KeyObject) {
  const files: File[] = []
  const sessions: { id?: string; meta: Partial<File> & { parents?: string[] }; size: number; received: Buffer }[] = []
  const state = { limited: 0, missed: 0 }

  const shown = ({ id, name, mimeType, content }: File) => ({
    id,
    name,
    mimeType,
    modifiedTime: '2026-11-20T09:00:00.000Z',
    version: '1',
    ...(content && !mimeType.startsWith('application/vnd.google-apps') ? { size: String(content.length) } : {}),
  })

  function list({ url }: Asked): Said {
    const {
      q = '',
      pageSize = '100',
      pageToken = '0',
      supportsAllDrives,
      includeItemsFromAllDrives,
    } = Object.fromEntries(url.searchParams)
    const parsed = /^'([^']+)' in parents and trashed = false(?: and \((.*)\))?$/.exec(q)
    if (!parsed) return problem(400, 'invalid')
    if (supportsAllDrives !== 'true' || includeItemsFromAllDrives !== 'true')
      return { status: 200, body: { files: [] } }
    const names = parsed[2]?.split(' or ').map(one =>
      one
        .replace(/^name = '(.*)'$/, '$1')
        .replaceAll("\\'", "'")
        .replaceAll('\\\\', '\\'),
    )
    const all = files
      .filter(({ parent, name }) => parent === parsed[1] && (!names || names.includes(name)))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const from = Number(pageToken)
    const to = from + Number(pageSize)
    return {
      status: 200,
      body: { files: all.slice(from, to).map(shown), ...(to < all.length ? { nextPageToken: String(to) } : {}) },
    }
  }

  function upload(asked: Asked): Said {
    const { url, method, headers, body } = asked
    const session = sessions[Number(url.searchParams.get('upload_id'))]
    if (url.searchParams.has('upload_id')) {
      if (!session) return problem(404, 'notFound')
      const [, from, to, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
      if (Number(from) !== session.received.length || Number(size) !== session.size) return problem(400, 'invalid')
      if (Number(to) + 1 < Number(size) && body.length % (256 * 1024)) return problem(400, 'invalid')
      const kept = state.missed ? body.subarray(0, 256 * 1024) : body
      state.missed = 0
      session.received = Buffer.concat([session.received, kept])
      if (session.received.length < session.size)
        return { status: 308, headers: { range: `bytes=0-${session.received.length - 1}` } }
      const existing = files.find(({ id }) => id === session.id)
      if (existing) existing.content = session.received
      else put(session.meta.name!, session.meta.parents![0]!, session.received, session.meta.mimeType)
      return { status: 200, body: shown(existing ?? files.at(-1)!) }
    }
    const id = /^\/upload\/drive\/v3\/files\/(.+)$/.exec(url.pathname)?.[1]
    if (url.searchParams.get('uploadType') === 'multipart') {
      const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')![1]!
      const [, meta, media] = body.toString('latin1').split(`--${boundary}`)
      const part = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4, -2)
      put(JSON.parse(part(meta!)).name, 'root', Buffer.from(part(media!), 'latin1'))
      return { status: 200, body: shown(files.at(-1)!) }
    }
    if (url.searchParams.get('uploadType') !== 'resumable' || method !== (id ? 'PATCH' : 'POST'))
      return problem(400, 'invalid')
    sessions.push({
      id,
      meta: JSON.parse(body.toString()),
      size: Number(headers['x-upload-content-length']),
      received: Buffer.alloc(0),
    })
    url.searchParams.set('upload_id', String(sessions.length - 1))
    return { status: 200, headers: { location: url.href } }
  }

  function drive(asked: Asked): Said {
    const { url, headers } = asked
    if (headers.authorization !== `Bearer ${token}` && !url.searchParams.has('upload_id'))
      return problem(401, 'authError')
    if (state.limited > 0) {
      state.limited--
      return problem(403, 'userRateLimitExceeded')
    }
    if (url.pathname.startsWith('/upload/')) return upload(asked)
    if (url.pathname === '/drive/v3/files') return list(asked)
    const [, id, verb] = /^\/drive\/v3\/files\/([^/]+)(\/export)?$/.exec(url.pathname) ?? []
    const file = files.find(one => one.id === decodeURIComponent(id ?? ''))
    if (!file) return problem(404, 'notFound')
    if (verb) {
      if (!file.mimeType.startsWith('application/vnd.google-apps.')) return problem(403, 'fileNotExportable')
      if (file.content!.length > 1000) return problem(403, 'exportSizeLimitExceeded')
      return { status: 200, body: file.content }
    }
    if (url.searchParams.get('alt') !== 'media') return { status: 200, body: shown(file) }
    if (file.denied) return problem(403, 'insufficientFilePermissions')
    if (!file.content || file.mimeType.startsWith('application/vnd.google-apps.'))
      return problem(403, 'fileNotDownloadable')
    const from = /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1]
    return { status: from ? 206 : 200, body: file.content.subarray(Number(from ?? 0)) }
  }

  const web = await startWeb(hosts, async asked => {
    if (asked.host !== 'oauth2.googleapis.com') return drive(asked)
    const form = new URLSearchParams(asked.body.toString())
    const verified = await jwtVerify(form.get('assertion') ?? '', publicKey, {
      audience: 'https://oauth2.googleapis.com/token',
      issuer: clientEmail,
      algorithms: ['RS256'],
    }).catch(() => undefined)
    const good =
      verified?.payload.scope === 'https://www.googleapis.com/auth/drive' &&
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    return good
      ? { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: 3599 } }
      : { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
  })

  function put(name: string, parent: string, content?: Buffer, mimeType = content ? 'x/y' : folderType) {
    files.push({ id: `f-${files.length}`, name, parent, mimeType, content })
    return files.at(-1)!.id
  }
  return { ...web, put, files, state }
}
