import type { Readable } from 'node:stream'
import { settings } from '../settings.ts'
import { egressPolicy } from '../sources/addresses.ts'
import { defaultLimits } from '../sources/connector.ts'
import { guardedDial } from '../sources/egress.ts'
import { openHttp } from '../sources/http.ts'

/** Time for one request to a provider, milliseconds. */
const PATIENCE = 8000
/** Longest answer that is read, bytes. */
const LONGEST = 1024 * 1024

/** Every answer is given back as it is: nothing is asked again, and no redirect is followed. */
const answers = Array.from({ length: 300 }, (_, n) => 300 + n)

/** What the libraries that speak OpenID Connect hand to a `fetch` of one's own. */
type Sending = {
  method?: string
  headers?: Headers | Record<string, string>
  body?: unknown
  signal?: AbortSignal | null
}

/** Asks a provider as `fetch` does, by the guarded way out of sources: not at addresses that the operator does not allow. */
export async function fetchFromProvider(
  url: string | URL,
  { method, headers, body, signal }: Sending = {},
): Promise<Response> {
  const limit = AbortSignal.any([AbortSignal.timeout(PATIENCE), ...(signal ? [signal] : [])])
  const dial = guardedDial(egressPolicy(settings().EGRESS_ALLOW))
  const http = openHttp({ dial, signal: limit, limits: { ...defaultLimits, idleMs: PATIENCE } })
  try {
    const answer = await http.request(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(body != null && { body: String(body) }),
      accept: answers,
    })
    const text = await textOf(answer.body)
    const type = answer.headers['content-type']
    return new Response([204, 205, 304].includes(answer.status) ? null : text, {
      status: answer.status,
      headers: { ...(type && { 'content-type': type }) },
    })
  } finally {
    http.close()
  }
}

async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > LONGEST) throw new Error('The provider answered too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
