import { type Asked, type Said, startWeb } from './web.ts'

export const tenant = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'
export const clientId = 'c1'
export const clientSecret = 'graph-secret'
const token = 'graph-token'
const hosts = [
  'example.sharepoint.com',
  'login.microsoftonline.com',
  'graph.microsoft.com',
  'download.example.net',
  'upload.example.net',
]

type Item = { id: string; name: string; folder?: string[]; content?: Buffer; extra?: Record<string, unknown> }

const problem = (status: number, code: string, headers?: Record<string, string>): Said => ({
  status,
  headers,
  body: { error: { code, message: code, innerError: { 'request-id': 'x' } } },
})

/**
 * A fake of Microsoft Graph, as strict as its documentation: what it doesn't name is refused, contents come from another
 * host that refuses the token, and uploads must be whole fragments in their order.
 */
export async function startGraph() {
  const items = new Map<string, Item>()
  const put = (path: string, content?: Buffer, extra?: Record<string, unknown>) => {
    const id = `id-${items.size}`
    const name = path.split('/').at(-1)!
    items.set(path, content ? { id, name, content, extra } : { id, name, folder: [], extra })
  }
  put('')
  const sessions = new Map<string, { path: string; size: number; received: Buffer; drop: number }>()
  const state = { throttle: 0, retryAfter: '0', redirect: undefined as string | undefined, dropBytes: 0, cut: 0 }

  const shown = (item: Item) => ({
    id: item.id,
    name: item.name,
    eTag: `"{${item.id}},1"`,
    lastModifiedDateTime: '2026-11-20T09:00:00Z',
    ...(item.content
      ? { size: item.content.length, file: { mimeType: 'x/y' } }
      : { folder: { childCount: 0 }, size: 0 }),
    ...item.extra,
  })

  function drive(asked: Asked, path: string): Said {
    const content = /^\/items\/([^/]+)\/content$/.exec(path)
    if (content) {
      const item = [...items.values()].find(({ id }) => id === decodeURIComponent(content[1]!))
      if (!item?.content) return problem(404, 'itemNotFound')
      return { status: 302, headers: { location: state.redirect ?? `https://download.example.net/${item.id}?key=1` } }
    }
    const match = /^\/root(?::\/(.+?))?(?::?(\/children|\/createUploadSession)|:)?$/.exec(path)
    if (!match) return problem(400, 'invalidRequest')
    const name = (match[1] ?? '').split('/').map(decodeURIComponent).join('/')
    if (match[2] === '/createUploadSession') {
      const behaviour = JSON.parse(asked.body.toString() || '{}').item?.['@microsoft.graph.conflictBehavior']
      if (behaviour === 'fail' && items.has(name)) return problem(409, 'nameAlreadyExists')
      const id = `s${sessions.size}`
      sessions.set(id, { path: name, size: 0, received: Buffer.alloc(0), drop: state.dropBytes })
      return {
        status: 200,
        body: {
          uploadUrl: `https://upload.example.net/rup/sessions/${id}?key=1`,
          expirationDateTime: '2027-01-01T00:00:00Z',
        },
      }
    }
    const item = items.get(name)
    if (!item) return problem(404, 'itemNotFound')
    if (match[2] !== '/children') return { status: 200, body: shown(item) }
    if (!item.folder) return { status: 200, body: { value: [] } }
    const children = [...items]
      .filter(([path]) => path && path.split('/').slice(0, -1).join('/') === name)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const top = Number(asked.url.searchParams.get('$top') ?? 200)
    const skip = Number(asked.url.searchParams.get('$skiptoken') ?? 0)
    const next = new URL(asked.url)
    next.searchParams.set('$skiptoken', String(skip + top))
    return {
      status: 200,
      body: {
        value: children.slice(skip, skip + top).map(([, child]) => shown(child)),
        ...(skip + top < children.length ? { '@odata.nextLink': next.href } : {}),
      },
    }
  }

  function graph(asked: Asked): Said {
    if (asked.headers.authorization !== `Bearer ${token}`) return problem(401, 'InvalidAuthenticationToken')
    if (state.throttle > 0) {
      state.throttle--
      return problem(429, 'activityLimitReached', { 'retry-after': state.retryAfter })
    }
    const path = asked.url.pathname.replace(/^\/v1\.0/, '')
    if (path === '/sites/example.sharepoint.com:/sites/records') return { status: 200, body: { id: 'site,1,2' } }
    if (path === '/sites/example.sharepoint.com:/sites/locked') return problem(403, 'accessDenied')
    if (path === '/sites/site%2C1%2C2/drive') return { status: 200, body: { id: 'b!1', name: 'Documents' } }
    if (path === '/sites/site%2C1%2C2/drives') {
      const second = asked.url.searchParams.has('$skiptoken')
      return {
        status: 200,
        body: second
          ? { value: [{ id: 'b!1', name: 'Records' }] }
          : {
              value: [{ id: 'b!0', name: 'Other' }],
              '@odata.nextLink': `https://graph.microsoft.com/v1.0/sites/site%2C1%2C2/drives?$skiptoken=2`,
            },
      }
    }
    if (decodeURIComponent(path) === '/users/ada@example.org/drive')
      return { status: 200, body: { id: 'b!1', name: 'OneDrive' } }
    if (decodeURIComponent(path) === '/users/locked@example.org/drive') return problem(403, 'accessDenied')
    const inDrive = /^\/drives\/b(?:!|%21)1(\/.*)$/.exec(path)
    return inDrive ? drive(asked, inDrive[1]!) : problem(404, 'itemNotFound')
  }

  function upload(asked: Asked): Said {
    const session = sessions.get(asked.url.pathname.split('/').at(-1)!)
    if (!session) return problem(404, 'itemNotFound')
    if (asked.headers.authorization) return problem(401, 'unauthenticated')
    const ranges = () => [`${session.received.length}-`]
    if (asked.method === 'GET') return { status: 200, body: { nextExpectedRanges: ranges() } }
    if (asked.method === 'DELETE') {
      sessions.delete(asked.url.pathname.split('/').at(-1)!)
      return { status: 204 }
    }
    const [, from, to, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(asked.headers['content-range'] ?? '') ?? []
    const length = Number(to) - Number(from) + 1
    if (length !== asked.body.length || Number(from) !== session.received.length) return problem(416, 'invalidRange')
    if (Number(to) + 1 < Number(size) && length % (320 * 1024)) return problem(400, 'invalidRequest')
    const kept = session.drop ? asked.body.subarray(0, 320 * 1024) : asked.body
    session.drop = 0
    session.received = Buffer.concat([session.received, kept])
    if (session.received.length < Number(size)) return { status: 202, body: { nextExpectedRanges: ranges() } }
    items.delete(session.path)
    put(session.path, session.received)
    return { status: 201, body: shown(items.get(session.path)!) }
  }

  const web = await startWeb(hosts, asked => {
    const { host, url, method } = asked
    if (host === 'example.sharepoint.com') {
      if (url.pathname !== '/sites/records/_vti_bin/client.svc') return { status: 404 }
      return {
        status: 401,
        headers: { 'www-authenticate': `Bearer realm="${tenant}",client_id="x",trusted_issuers="y"` },
      }
    }
    if (host === 'login.microsoftonline.com') {
      const form = new URLSearchParams(asked.body.toString())
      const known = url.pathname === `/${tenant}/oauth2/v2.0/token` || url.pathname === '/example.org/oauth2/v2.0/token'
      if (!known) return { status: 400, body: { error: 'invalid_request', error_codes: [90002] } }
      const good =
        method === 'POST' &&
        form.get('grant_type') === 'client_credentials' &&
        form.get('client_id') === clientId &&
        form.get('client_secret') === clientSecret &&
        form.get('scope') === 'https://graph.microsoft.com/.default'
      if (!good)
        return { status: 401, body: { error: 'invalid_client', error_description: `AADSTS7000215 ${clientSecret}` } }
      return { status: 200, body: { token_type: 'Bearer', expires_in: 3599, access_token: token } }
    }
    if (host === 'download.example.net') {
      if (asked.headers.authorization) return problem(401, 'unauthenticated')
      const item = [...items.values()].find(({ id }) => id === url.pathname.slice(1))
      const from = /^bytes=(\d+)-$/.exec(asked.headers.range ?? '')?.[1]
      return { status: from ? 206 : 200, body: item!.content!.subarray(Number(from ?? 0)) }
    }
    return host === 'upload.example.net' ? upload(asked) : graph(asked)
  })
  return { ...web, put, items, state }
}
