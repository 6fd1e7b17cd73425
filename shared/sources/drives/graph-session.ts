import type { SourceConfig } from '../../api/source-kinds.ts'
import type { SourceContext } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { type Http, type HttpAnswer, type HttpRequest, openHttp } from '../http.ts'
import { accessToken } from './tokens.ts'

export type SiteConfig = SourceConfig<'SITE_LIBRARY'>
export type OnedriveConfig = Extract<SourceConfig<'CLOUD_DRIVE'>, { provider: 'onedrive' }>

/** Where the national clouds sign in and answer (https://learn.microsoft.com/graph/deployments). */
const clouds = {
  com: { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' },
  us: { login: 'https://login.microsoftonline.us', graph: 'https://graph.microsoft.us' },
  cn: { login: 'https://login.chinacloudapi.cn', graph: 'https://microsoftgraph.chinacloudapi.cn' },
} as const
type Cloud = (typeof clouds)[keyof typeof clouds]

/** A drive of Microsoft Graph, signed in to. */
export type Drive = {
  http: Http
  /** URL of the drive, without a slash at its end. */
  url: string
  /** Name of the drive, for people. */
  label: string
  json(url: string, request?: HttpRequest): Promise<Record<string, unknown>>
  send(url: string, request: HttpRequest): Promise<HttpAnswer>
}

/** The tenant that a site belongs to, as the site tells it itself when it is asked without a token. */
async function tenantOf(http: Http, site: string): Promise<string> {
  const { headers } = await http.request(`${site.replace(/\/$/, '')}/_vti_bin/client.svc`, {
    headers: { authorization: 'Bearer' },
    accept: [401],
  })
  const challenge = [headers['www-authenticate']].flat().join(',')
  const realm = /realm="([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/i.exec(challenge)?.[1]
  if (realm) return realm
  throw new SourceError('source_config_invalid', 'The site does not tell its tenant: give tenant_id')
}

async function signedIn(
  http: Http,
  cloud: Cloud,
  tenant: string,
  client: { client_id: string; client_secret: string },
) {
  const token = await accessToken(http, `${cloud.login}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`, {
    grant_type: 'client_credentials',
    client_id: client.client_id,
    client_secret: client.client_secret,
    scope: `${cloud.graph}/.default`,
  })
  const withToken = (request: HttpRequest = {}): HttpRequest => ({
    ...request,
    headers: { accept: 'application/json', ...request.headers, authorization: `Bearer ${token}` },
  })
  const only = (url: string) => {
    // The token goes to the service that it was made for and nowhere else, whatever an answer says.
    if (new URL(url).origin !== cloud.graph) throw new SourceError('source_egress_denied')
    return url
  }
  return {
    json: async (url: string, request?: HttpRequest) =>
      (await http.json(only(url), withToken(request))) as Record<string, unknown>,
    send: (url: string, request: HttpRequest) => http.request(only(url), withToken(request)),
  }
}

/** Signs in and finds the library of the site. The caller closes `http`. */
export async function openLibrary(context: SourceContext, config: SiteConfig): Promise<Drive> {
  const http = openHttp(context)
  try {
    const site = new URL(config.site_url)
    const cloud = clouds[site.hostname.split('.').at(-1)!.toLowerCase() as keyof typeof clouds]
    const tenant = config.tenant_id ?? (await tenantOf(http, config.site_url))
    const { json, send } = await signedIn(http, cloud, tenant, config)
    const path = site.pathname.replace(/^\/|\/$/g, '')
    const found = await json(`${cloud.graph}/v1.0/sites/${site.hostname}${path ? `:/${path}` : ''}?$select=id`)
    const siteUrl = `${cloud.graph}/v1.0/sites/${encodeURIComponent(String(found.id))}`
    if (config.library === undefined) {
      const drive = await json(`${siteUrl}/drive?$select=id,name`)
      return { http, json, send, url: driveUrl(cloud, drive), label: String(drive.name) }
    }
    for (let next: string | undefined = `${siteUrl}/drives?$select=id,name`; next; ) {
      const answer: Record<string, unknown> = await json(next)
      const drives = answer.value as Record<string, unknown>[]
      const drive = drives.find(({ name }) => name === config.library)
      if (drive) return { http, json, send, url: driveUrl(cloud, drive), label: String(drive.name) }
      next = answer['@odata.nextLink'] as string | undefined
    }
    throw new SourceError('source_not_found', 'The site has no library of this name')
  } catch (error) {
    http.close()
    throw error
  }
}

/** Signs in and finds the drive of the user. The caller closes `http`. */
export async function openOnedrive(context: SourceContext, config: OnedriveConfig): Promise<Drive> {
  const http = openHttp(context)
  try {
    const cloud = clouds.com
    const { json, send } = await signedIn(http, cloud, config.tenant_id, config)
    const drive = await json(`${cloud.graph}/v1.0/users/${encodeURIComponent(config.user)}/drive?$select=id,name`)
    return { http, json, send, url: driveUrl(cloud, drive), label: String(drive.name) }
  } catch (error) {
    http.close()
    throw error
  }
}

const driveUrl = (cloud: Cloud, { id }: Record<string, unknown>) =>
  `${cloud.graph}/v1.0/drives/${encodeURIComponent(String(id))}`
