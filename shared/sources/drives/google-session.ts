import { importPKCS8, SignJWT } from 'jose'
import type { SourceConfig } from '../../api/source-kinds.ts'
import type { SourceContext } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { type Http, type HttpAnswer, type HttpRequest, openHttp } from '../http.ts'
import { below } from '../paths.ts'
import { accessToken } from './tokens.ts'

export type GoogleConfig = Extract<SourceConfig<'CLOUD_DRIVE'>, { provider: 'google_drive' }>

const TOKENS = 'https://oauth2.googleapis.com/token'
export const API = 'https://www.googleapis.com'

/** A file of Google Drive, as far as this service asks. */
export type DriveFile = {
  id: string
  name: string
  mimeType: string
  size?: string
  modifiedTime?: string
  md5Checksum?: string
  version?: string
}

export const FIELDS = 'id,name,mimeType,size,modifiedTime,md5Checksum,version'
export const FOLDER = 'application/vnd.google-apps.folder'

/** What the documents of Google's own are exported as. */
export const exports: Record<string, { extension: string; mimeType: string }> = {
  'application/vnd.google-apps.document': {
    extension: 'docx',
    mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  'application/vnd.google-apps.spreadsheet': {
    extension: 'xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  'application/vnd.google-apps.presentation': {
    extension: 'pptx',
    mimeType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  },
}

export type GoogleDrive = {
  http: Http
  /** Identifier of the folder that is the root of the source. */
  root: string
  json(url: string, request?: HttpRequest): Promise<Record<string, unknown>>
  send(url: string, request?: HttpRequest): Promise<HttpAnswer>
  /** Parameters that every list needs to see shared drives too. */
  scope: Record<string, string>
}

/** Signs in as the service account. The caller closes `http`. */
export async function openGoogle(context: SourceContext, config: GoogleConfig): Promise<GoogleDrive> {
  const key = await importPKCS8(config.private_key, 'RS256').catch(() => {
    throw new SourceError('source_config_invalid', 'The private key cannot be read')
  })
  const assertion = await new SignJWT({ scope: 'https://www.googleapis.com/auth/drive', sub: config.subject })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(config.client_email)
    .setAudience(TOKENS)
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(key)
  const http = openHttp(context)
  try {
    const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    const token = await accessToken(http, TOKENS, { grant_type: grant, assertion })
    const withToken = (request: HttpRequest = {}): HttpRequest => ({
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${token}` },
    })
    return {
      http,
      root: config.folder_id ?? config.drive_id ?? 'root',
      json: async (url, request) => (await http.json(url, withToken(request))) as Record<string, unknown>,
      send: (url, request) => http.request(url, withToken(request)),
      scope: {
        supportsAllDrives: 'true',
        includeItemsFromAllDrives: 'true',
        ...(config.drive_id ? { corpora: 'drive', driveId: config.drive_id } : {}),
      },
    }
  } catch (error) {
    http.close()
    throw error
  }
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** One page of a folder. */
export async function listFolder(
  drive: GoogleDrive,
  folder: string,
  { cursor, limit, named }: { cursor?: string; limit: number; named?: string[] },
): Promise<{ files: DriveFile[]; cursor?: string }> {
  const names = named ? ` and (${named.map(name => `name = ${quote(name)}`).join(' or ')})` : ''
  const parameters = new URLSearchParams({
    ...drive.scope,
    q: `${quote(folder)} in parents and trashed = false${names}`,
    fields: `nextPageToken,files(${FIELDS})`,
    orderBy: 'name',
    pageSize: String(limit),
    ...(cursor === undefined ? {} : { pageToken: cursor }),
  })
  const answer = await drive.json(`${API}/drive/v3/files?${parameters}`)
  const next = answer.nextPageToken
  return { files: answer.files as DriveFile[], ...(typeof next === 'string' ? { cursor: next } : {}) }
}

/** Name that a file is shown and loaded by: documents of Google's own get the ending of what they are exported as. */
export const shownName = ({ name, mimeType }: DriveFile): string => {
  const exported = exports[mimeType]
  return exported ? `${name}.${exported.extension}` : name
}

/**
 * What lies at a path. Throws `source_conflict` where two things have the same name, which Drive allows: which one is
 * meant cannot be told.
 */
export async function findPath(drive: GoogleDrive, path: string): Promise<DriveFile | undefined> {
  let found: DriveFile = { id: drive.root, name: '', mimeType: FOLDER }
  for (const part of path ? path.split('/') : []) {
    if (found.mimeType !== FOLDER) return
    const bare = part.replace(/\.(docx|xlsx|pptx)$/, '')
    const { files } = await listFolder(drive, found.id, { limit: 100, named: [...new Set([part, bare])] })
    const same = files.filter(file => shownName(file) === part)
    if (same.length > 1)
      throw new SourceError(
        'source_conflict',
        `The drive holds several files of the name ${below('', part).slice(0, 100)}`,
      )
    if (!same[0]) return
    found = same[0]
  }
  return found
}
