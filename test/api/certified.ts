import { createHash } from 'node:crypto'
import type { Client } from '../../shared/api/client.ts'
import type { ShownFile } from '../../verifier/outputs.ts'
import { verify } from '../../verifier/verify.ts'
import { ended } from './waiting.ts'

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

/**
 * Words of files, of their names, of rules and of a job that nobody may learn from what certifies the job. Names of outputs
 * are in it, with the replacement where a rule found something in the name.
 */
const canaries = ['Zyxandra', 'Qwertz17', 'Plovdiv', 'Vyrkle', 'Grombalt']

/** How a text shows a word: as it stands, encoded, and by a digest that whoever guesses it could confirm. */
function tracesOf(word: string): string[] {
  const bytes = Buffer.from(word)
  // Encoded inside of something, a word begins at one of three places of a group.
  const shifted = [0, 1, 2].map(by =>
    Buffer.concat([Buffer.alloc(by), bytes])
      .toString('base64')
      .replace(/=+$/, ''),
  )
  const inner = shifted.map((text, by) => text.slice([0, 2, 3][by], text.length - 1))
  const digest = createHash('sha256').update(bytes).digest()
  return [word.toLowerCase(), bytes.toString('hex'), ...inner, digest.toString('hex'), digest.toString('base64')]
}

/** The canaries that a text shows in any way. */
export const canariesIn = (text: string): string[] =>
  canaries.filter(word => tracesOf(word).some(trace => text.includes(trace) || text.toLowerCase().includes(trace)))

/** Runs a job in which canaries are everywhere, one of its files damaged; answers its id. */
export async function runCanaryJob(client: Client): Promise<string> {
  const rule = await client.rules.create({
    body: { name: 'Names', type: 'REGEX', config: { regexRuleConfig: { pattern: 'Zyxandra|Qwertz\\d+' } } },
  })
  const config = { rules: [{ ruleId: rule.id, replacement: { text: 'Wexlford {{n}}' } }] }
  const workflow = await client.workflows.create({
    body: { name: 'Vyrkle', description: 'Vyrkle', supportedAssetType: 'DOCUMENT', config },
  })
  const content = 'Zyxandra met Qwertz17 in Plovdiv'
  const files = [
    { name: 'Zyxandra.txt', content },
    { name: 'Qwertz18.html', content: `<!-- Grombalt --><title>Grombalt</title><p>${content}</p>` },
    { name: 'Qwertz17.json', content: JSON.stringify({ Plovdiv: content }) },
    { name: 'Grombalt.docx', content: Buffer.from(`PK\x03\x04 ${content}`) },
  ]
  const { id: job_id } = await client.jobs.upload({ body: { name: 'Job of Zyxandra', description: 'Vyrkle' }, files })
  await client.jobs.update({ job_id, body: { workflowId: workflow.id } })
  await client.jobs.execute({ job_id })
  await ended(client, job_id)
  return job_id
}
