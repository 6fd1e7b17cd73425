// What the page does: the checks of `npm run verify` with files that somebody chooses in a browser.

import { type Bytes, hex, Refusal, sha256 } from '../bytes.ts'
import type { ShownFile } from '../outputs.ts'
import { reportOf } from '../report.ts'
import { type Shown, type Verdict, verify } from '../verify.ts'
import { language, words } from './words.ts'

/** What a browser can digest at once, bytes: WebCrypto takes all of it in memory. */
const MOST = 2 ** 30

document.documentElement.lang = language
document.title = words.title

const form = document.querySelector('form')!
const result = document.querySelector('section')!

const chosen = (name: string): File[] => [...((form.elements.namedItem(name) as HTMLInputElement).files ?? [])]

const read = async (file: Blob): Promise<Bytes> => new Uint8Array(await file.arrayBuffer())

const shownFile = (file: File): ShownFile => ({
  name: file.name,
  size: file.size,
  async digest(start, end) {
    if (end - start > MOST) throw new Refusal('size', `${file.name} is too large for this page: use npm run verify`)
    return hex(await sha256(await read(file.slice(start, end))))
  },
})

/** Sorts what was chosen as certificate by what it holds: the certificate, the list of assets, the proof for one of them. */
async function certificateOf(files: readonly File[]): Promise<Pick<Shown, 'certificate' | 'list' | 'proof'>> {
  const found: { certificate?: Bytes; list?: Bytes; proof?: Bytes } = {}
  for (const file of files) {
    const bytes = await read(file)
    const fields = fieldsOf(bytes)
    const role = 'payloadType' in fields ? 'certificate' : 'path' in fields ? 'proof' : 'list'
    if (found[role]) throw new Refusal('malformed', `${file.name} is a second ${role}: choose one`)
    found[role] = bytes
  }
  if (!found.certificate) throw new Refusal('malformed', 'None of the files chosen as certificate is one')
  return { ...found, certificate: found.certificate }
}

/** The fields of a file of JSON; none of one that is anything else. */
function fieldsOf(bytes: Bytes): object {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** What was chosen of the log; nothing where no receipt was. */
async function logOf(): Promise<Pick<Shown, 'log'>> {
  const file = async (name: string) => {
    const [first] = chosen(name)
    return first && (await read(first))
  }
  const names = ['receipt', 'logKey', 'checkpoint', 'consistency'] as const
  const [receipt, key, older, consistency] = await Promise.all(names.map(file))
  const { value } = form.elements.namedItem('witnesses') as HTMLTextAreaElement
  const witnesses = value.split('\n').flatMap(line => line.trim() || [])
  if (receipt && key) return { log: { receipt, key, older, consistency, witnesses } }
  if (!receipt && !key && !older && !consistency && witnesses.length === 0) return {}
  throw new Refusal('malformed', 'To find the certificate in the log, its receipt and the key of the log are needed')
}

async function check(): Promise<Verdict> {
  try {
    return await verify({
      ...(await logOf()),
      ...(await certificateOf(chosen('certificate'))),
      keys: await read(chosen('keys')[0]!),
      files: chosen('outputs').map(shownFile),
      all: (form.elements.namedItem('all') as HTMLInputElement).checked,
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { problems: [{ code: error.code, reason: error.message }] }
  }
}

function element<T extends keyof HTMLElementTagNameMap>(tag: T, ...content: (string | Node)[]) {
  const made = document.createElement(tag)
  made.append(...content)
  return made
}

/** A link that saves the report of a certificate that was accepted. */
function reportLink({ statement, leaves, keyid }: Verdict): HTMLElement {
  const page = reportOf({ statement: statement!, leaves: leaves!, keyid: keyid! })
  const link = element('a', words.report)
  link.href = URL.createObjectURL(new Blob([page], { type: 'text/html' }))
  link.download = 'report.html'
  return element('p', link)
}

function show(verdict: Verdict): void {
  const { problems } = verdict
  const accepted = problems.length === 0
  result.className = accepted ? 'accepted' : 'refused'
  result.replaceChildren(element('h2', accepted ? words.accepted : words.refused))
  if (accepted) showAccepted(verdict)
  else {
    const told = problems.map(({ code, reason }) =>
      words.reasons[code] ? `${words.reasons[code]}: ${reason}` : reason,
    )
    result.append(element('ul', ...told.map(reason => element('li', reason))))
  }
}

function showAccepted(verdict: Verdict): void {
  const { statement, leaves = [], keyid, logged } = verdict
  const { id, outcome, finishedAt } = statement!.predicate.job as Record<string, string>
  const files = chosen('outputs').length
  result.append(
    element('p', words.job(id!, outcome!, finishedAt!, leaves.length, files)),
    element('p', words.signed[0]!, element('code', keyid!), words.signed[1]!),
    ...(logged ? [element('p', words.logged(logged.index, logged.size))] : []),
    reportLink(verdict),
  )
}

form.addEventListener('submit', async event => {
  event.preventDefault()
  result.hidden = false
  result.className = ''
  result.textContent = words.checking
  try {
    show(await check())
  } catch {
    result.className = 'refused'
    result.textContent = words.unread
  }
})
