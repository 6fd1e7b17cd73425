import { createHash } from 'node:crypto'
import type { Client } from '../../shared/api/client.ts'
import type { ShownFile } from '../../verifier/outputs.ts'
import { verify } from '../../verifier/verify.ts'

/** A file as the verifier takes it. */
export const shownFile = (name: string, content: Buffer): ShownFile => ({
  name,
  size: content.length,
  digest: async (start, end) => createHash('sha256').update(content.subarray(start, end)).digest('hex'),
})

const bytesOf = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer())
const bytes = (value: unknown) => Uint8Array.from(Buffer.from(JSON.stringify(value)))

/** What the verifier says to the certificate of a job with all its outputs, and with `change` made to the last of them. */
export async function verdictOn(client: Client, job_id: string, change = (content: Buffer) => content) {
  const { certificate, list, opening } = await client.jobs.certificate({ job_id })
  const { result } = await client.jobs.get({ job_id })
  const made = result!.assets.filter(({ url }) => url !== null)
  const outputs = await Promise.all(
    made.map(async ({ name, url }) => [name, Buffer.from(await bytesOf(url!))] as const),
  )
  const files = outputs.map(([name, content], n) =>
    shownFile(name, n === outputs.length - 1 ? change(content) : content),
  )
  return verify({
    ...{ certificate: bytes(certificate), keys: bytes(await client.certificates.keys()) },
    ...(list && { list: await bytesOf(list.url!) }),
    ...(opening && { opening: bytes(opening) }),
    ...{ files, all: true },
  })
}
