import type { IncomingMessage } from 'node:http'
import { AwsError } from '../aws/errors.ts'
import type { Reply } from './context.ts'
import type { Bucket } from './store.ts'
import { childrenOf, childText, parseXml } from './xml.ts'

const texts = (rule: Parameters<typeof childrenOf>[0], name: string) => childrenOf(rule, name).map(({ text }) => text)

/** Whether a text fits a pattern with at most one `*`, which stands for anything. */
function fits(pattern: string, text: string): boolean {
  const [start = '', end] = pattern.split('*')
  if (end === undefined) return pattern === text
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end)
}

/** The headers that let a page of another origin see an answer; undefined if the bucket doesn't allow it. */
export function corsHeaders(
  bucket: Bucket | undefined,
  origin: string,
  method: string,
  asked: string[] = [],
): Record<string, string> | undefined {
  const document = bucket?.settings.cors
  if (document === undefined) return undefined
  for (const rule of childrenOf(parseXml(document, 'CORSConfiguration'), 'CORSRule')) {
    const pattern = texts(rule, 'AllowedOrigin').find(pattern => fits(pattern, origin))
    const allowed = texts(rule, 'AllowedHeader').map(name => name.toLowerCase())
    const headersFit = asked.every(name => allowed.some(pattern => fits(pattern, name)))
    if (pattern === undefined || !texts(rule, 'AllowedMethod').includes(method) || !headersFit) continue
    const exposed = texts(rule, 'ExposeHeader')
    const age = childText(rule, 'MaxAgeSeconds')
    return {
      'access-control-allow-origin': pattern === '*' ? '*' : origin,
      'access-control-allow-methods': texts(rule, 'AllowedMethod').join(', '),
      ...(asked.length ? { 'access-control-allow-headers': asked.join(', ') } : {}),
      ...(exposed.length ? { 'access-control-expose-headers': exposed.join(', ') } : {}),
      ...(age ? { 'access-control-max-age': age } : {}),
      ...(pattern === '*' ? {} : { 'access-control-allow-credentials': 'true' }),
      vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
    }
  }
  return undefined
}

/** Answers a browser's question whether it may send a request. */
export function preflight(bucket: Bucket | undefined, request: IncomingMessage): Reply {
  const origin = request.headers.origin
  const method = request.headers['access-control-request-method']
  if (!origin || !method) throw new AwsError('BadRequest', 'Insufficient information. Origin request header needed.')
  const asked = (request.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map(name => name.trim().toLowerCase())
  const headers = corsHeaders(bucket, origin, method, asked.filter(Boolean))
  if (!headers) throw new AwsError('AccessForbidden', 'CORSResponse: This CORS request is not allowed.', 403)
  return { status: 200, headers }
}
