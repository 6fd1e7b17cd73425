import { type Bytes, hex, isObject, Refusal, readObject, utf8 } from './bytes.ts'
import { openEnvelope } from './envelope.ts'
import { checkLog, entryOf, type Logged, type ShownLog } from './log.ts'
import { compareFiles, type Problem, type ShownFile } from './outputs.ts'
import { type Leaf, linesOf, readLeaf, readStatement, type Statement } from './statement.ts'
import { rootByPath } from './tree.ts'

/** What is shown to be checked; files of JSON as their bytes. */
export type Shown = {
  certificate: Bytes
  /** The public keys that are trusted: a JWKS. */
  keys: Bytes
  /** The list of assets that stands beside the certificate of a large job. */
  list?: Bytes
  /** In place of the list, what shows that one asset is on it. */
  proof?: Bytes
  files: readonly ShownFile[]
  /** Whether all outputs should be among the files. */
  all: boolean
  /** What the owner of the job was told: the salt of the keyed digests, and the workflow; and files that were put in. */
  opening?: Bytes
  inputs?: readonly ShownFile[]
  /** What shows that the certificate is in the log. */
  log?: ShownLog
}

/** What came of it: accepted where there are no problems. A certificate whose signature does not hold says nothing. */
export type Verdict = {
  problems: Problem[]
  keyid?: string
  statement?: Statement
  leaves?: Leaf[]
  /** What stands for it in the log. */
  entry?: string
  /** Where the log holds it, if that was shown. */
  logged?: Logged
}

/** Checks a certificate and all that is shown with it. */
export async function verify(shown: Shown): Promise<Verdict> {
  const verdict: Verdict = { problems: [] }
  try {
    const { payload, keyid } = await openEnvelope(shown.certificate, shown.keys)
    verdict.keyid = keyid
    verdict.statement = readStatement(payload)
    verdict.entry = await entryOf(jobOf(verdict.statement), payload)
    if (shown.log) verdict.logged = await checkLog(verdict.entry, shown.log)
    verdict.leaves = await leavesOf(verdict.statement, shown)
    const outputs = verdict.leaves.flatMap(({ output }) => output ?? [])
    verdict.problems.push(...(await compareFiles(shown.files, outputs, shown.all)))
    if (shown.opening) verdict.problems.push(...(await checkOpening(verdict, shown)))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    verdict.problems.push({ code: error.code, reason: error.message })
  }
  return verdict
}

function jobOf({ predicate: { job } }: Statement): string {
  if (isObject(job) && typeof job.id === 'string') return job.id
  throw new Refusal('malformed', 'The certificate does not name its job')
}

async function leavesOf(statement: Statement, { list, proof }: Shown): Promise<Leaf[]> {
  if (!proof) return (await linesOf(statement, list)).map(readLeaf)
  const { leaf, index, path } = readObject(proof, 'The proof')
  if (typeof leaf !== 'string' || !Array.isArray(path) || !path.every(isDigest))
    throw new Refusal('malformed', 'The proof lacks what it should say')
  const { count, root } = statement.predicate.assets
  const hashes = path.map(digest => Uint8Array.from(digest.match(/../g)!, (pair: string) => Number.parseInt(pair, 16)))
  if ((await rootByPath(leaf, index as number, count, hashes)) !== root)
    throw new Refusal('proof', 'The proof does not lead to the root in the certificate')
  return [readLeaf(leaf)]
}

const isDigest = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

/** What of the opening, and of the inputs shown with it, does not fit the keyed digests. */
async function checkOpening({ statement, leaves = [] }: Verdict, { opening, inputs = [] }: Shown): Promise<Problem[]> {
  const { salt, workflow } = readObject(opening!, 'The opening')
  if (!isDigest(salt)) throw new Refusal('malformed', 'The opening has no salt')
  const bytes = Uint8Array.from(salt.match(/../g)!, pair => Number.parseInt(pair, 16))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const keyed = async (text: string) => hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text))))
  const problems: Problem[] = []
  const told = statement!.predicate.workflow
  const digest = isObject(told) && isObject(told.digest) ? told.digest['hmac-sha256'] : undefined
  if (typeof workflow === 'string' && (await keyed(`workflow:${workflow}`)) !== digest)
    problems.push({ code: 'workflow', reason: 'The workflow is not the one that the job was executed with' })
  for (const file of inputs) {
    const sha256 = await file.digest(0, file.size)
    const digests = leaves.map(
      async ({ assetId, input }) => (await keyed(`input:${assetId}:${sha256}`)) === input['hmac-sha256'],
    )
    if (!(await Promise.all(digests)).includes(true))
      problems.push({ code: 'input', reason: `${file.name} is no file that the job was given` })
  }
  return problems
}
