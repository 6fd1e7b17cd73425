import { sourceKinds } from '../../shared/api/source-kinds.ts'

/** Fields of requests and answers whose values no log may hold. */
const secretFields = new Set([
  ...['email', 'password', 'access_token', 'refresh_token', 'subject_token', 'logout_token', 'temporaryPassword'],
  ...Object.values(sourceKinds).flatMap(({ secret }) => secret),
])

/** Shorter values are in lines by chance, and so are the names that every object has. */
const SHORTEST = 8
const byChance = new Set(Object.getOwnPropertyNames(Object.prototype))
/** Of a document, what is marked and so many lines of so many characters. */
const MAX_LINES = 50
const LONGEST_LINE = 60
const HEAD = 65_536

/** Texts that were given to the service, or that it gave away, and that must not be in any line of a log. */
export type Canaries = Set<string>

/** Takes in a value that must not be logged. */
export function remember(canaries: Canaries, value: unknown): void {
  if (typeof value !== 'string' || value.trim().length < SHORTEST || byChance.has(value)) return
  canaries.add(value.trim().slice(0, 200))
}

/** Takes in what a document says: what rules look for (addresses, numbers), and its lines. */
export function rememberDocument(canaries: Canaries, content: string): void {
  const head = content.slice(0, HEAD)
  for (const [marked] of head.matchAll(/[\w.+-]{1,64}@[\w.-]{1,64}|\d[\d -]{7,30}\d/g)) remember(canaries, marked)
  for (const line of head.split(/[\r\n]+/, MAX_LINES)) remember(canaries, line.slice(0, LONGEST_LINE))
}

/** Takes in the secret fields of anything that was sent or answered as JSON, down to any depth that is taken. */
export function rememberFields(canaries: Canaries, value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 32) return
  for (const [name, inner] of Object.entries(value)) {
    if (secretFields.has(name)) remember(canaries, inner)
    rememberFields(canaries, inner, depth + 1)
  }
}

/** Takes in what a request carries: its token, the signature of its address, secret fields, documents. */
export async function rememberRequest(canaries: Canaries, url: URL, init: RequestInit = {}): Promise<void> {
  remember(canaries, url.searchParams.get('X-Amz-Signature'))
  remember(canaries, new Headers(init.headers).get('authorization')?.replace(/^\S+ /, ''))
  const { body } = init
  if (body instanceof FormData) {
    for (const part of body.values()) if (part instanceof Blob) rememberDocument(canaries, await headOf(part))
  } else if (body instanceof Blob) rememberDocument(canaries, await headOf(body))
  else if (body instanceof Uint8Array) rememberDocument(canaries, Buffer.from(body.subarray(0, HEAD)).toString())
  else if (new Headers(init.headers).get('content-type') === 'application/x-www-form-urlencoded')
    rememberFields(canaries, Object.fromEntries(new URLSearchParams(String(body))))
  else if (typeof body === 'string') {
    const json = parsed(body)
    if (json === undefined) rememberDocument(canaries, body)
    else rememberFields(canaries, json)
  }
}

const headOf = (part: Blob): Promise<string> => part.slice(0, HEAD).text()

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How a value may stand in a line: as it is, within JSON, within an address. */
export const formsOf = (value: string): string[] => [
  ...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]),
]
