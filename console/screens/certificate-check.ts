import { type Bytes, hex, sha256, utf8 } from '../../verifier/bytes.ts'
import type { ShownFile } from '../../verifier/outputs.ts'
import { type Shown, type Verdict, verify } from '../../verifier/verify.ts'
import { call } from '../api.ts'

/** A certificate as the service shows it, with what it is checked with. */
export type Certified = Awaited<ReturnType<typeof load>>

/** What a file on this computer is: an output of the job, none of them, or more than a browser can digest. */
export type Held = { name: string; is: 'output' | 'unknown' | 'tooLarge' }

/** What a browser can digest at once, bytes: WebCrypto takes all of it in memory. */
const MOST = 2 ** 30

const json = (value: unknown): Bytes => utf8(JSON.stringify(value))

/** The certificate of a job, with its list of assets, and the public keys of the service and of its log. */
export async function load(job_id: string) {
  const [shown, keys] = await Promise.all([call('jobs', 'certificate', { job_id }), call('certificates', 'keys')])
  const { list, receipt } = shown
  const leaves = list?.url ? await textOf(list.url) : undefined
  return { shown, keys, leaves, logKey: receipt === null ? undefined : await call('transparency', 'key') }
}

async function textOf(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The list of assets was answered with ${response.status}`)
  return response.text()
}

/** Checks signature, list, opening and receipt of a certificate, as `npm run verify` does. */
export const check = ({ shown, keys, leaves, logKey }: Certified, files: ShownFile[] = []): Promise<Verdict> =>
  verify({
    certificate: json(shown.certificate),
    keys: json(keys),
    ...(leaves !== undefined && { list: utf8(leaves) }),
    ...(shown.opening && { opening: json(shown.opening) }),
    ...(logKey && { log: { receipt: utf8(shown.receipt!), key: json(logKey) } }),
    files,
    all: false,
  } satisfies Shown)

/** What a file is to a certificate. Its content decides: it may have another name. */
export async function holds(certified: Certified, file: File): Promise<Held> {
  const { name, size } = file
  if (size > MOST) return { name, is: 'tooLarge' }
  const digest = async (start: number, end: number) =>
    hex(await sha256(new Uint8Array(await file.slice(start, end).arrayBuffer())))
  const { problems } = await check(certified, [{ name, size, digest }])
  return { name, is: problems.length === 0 ? 'output' : 'unknown' }
}
