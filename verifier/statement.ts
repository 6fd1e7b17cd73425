import { type Bytes, hex, isObject, Refusal, readObject, sha256 } from './bytes.ts'
import type { Output } from './outputs.ts'
import { rootOf } from './tree.ts'

const PREDICATE_TYPE = 'urn:anonymisation-service:certificate:v1'

/** What a certificate says of an asset. */
export type Leaf = Record<string, unknown> & { assetId: string; output: Output | null; input: Record<string, unknown> }

/** What a certificate says, with the list of its assets where that is in it. */
export type Statement = {
  subject: { name: string; digest: { sha256: string } }[]
  predicate: Record<string, unknown> & { assets: { count: number; root: string; list?: string[] } }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const isSubject = (value: unknown): boolean =>
  isObject(value) && isText(value.name) && isObject(value.digest) && isText(value.digest.sha256)

/** The statement of a payload, once it is one of this service; throws {@link Refusal}. */
export function readStatement(payload: Bytes): Statement {
  const { _type, predicateType, subject, predicate } = readObject(payload, 'The payload')
  const ours = _type === 'https://in-toto.io/Statement/v1' && predicateType === PREDICATE_TYPE
  if (!ours) throw new Refusal('malformed', 'The payload is no certificate of a job')
  const assets = isObject(predicate) ? predicate.assets : undefined
  const whole = isObject(assets) && isCount(assets.count) && isText(assets.root)
  const listed =
    isObject(assets) && (assets.list === undefined || (Array.isArray(assets.list) && assets.list.every(isText)))
  if (!whole || !listed || !Array.isArray(subject) || !subject.every(isSubject))
    throw new Refusal('malformed', 'The certificate lacks what it should say')
  return { subject, predicate } as unknown as Statement
}

const isPart = (value: unknown): boolean => Array.isArray(value) && isCount(value[0]) && isText(value[1])

const isOutput = (value: unknown): boolean =>
  value === null ||
  (isObject(value) &&
    isText(value.name) &&
    isCount(value.size) &&
    (isText(value.sha256) || (Array.isArray(value.parts) && value.parts.every(isPart))))

/** An asset from its line. */
export function readLeaf(line: string): Leaf {
  const leaf = readObject(new TextEncoder().encode(line), 'A line of the list of assets')
  if (isText(leaf.assetId) && isOutput(leaf.output) && isObject(leaf.input)) return leaf as Leaf
  throw new Refusal('malformed', 'A line of the list of assets lacks what it should say')
}

/** The lines of the list of assets: those of the certificate, or of the file beside it; throws {@link Refusal}. */
export async function linesOf({ subject, predicate }: Statement, list: Bytes | undefined): Promise<string[]> {
  const { count, root, list: inside } = predicate.assets
  if (!inside && !list)
    throw new Refusal('list', `The list of assets is missing: ${subject[0]?.name} belongs beside the certificate`)
  if (!inside && hex(await sha256(list!)) !== subject[0]?.digest.sha256)
    throw new Refusal('list', 'The list of assets is not the one of this certificate')
  const lines = inside ?? new TextDecoder().decode(list).split('\n').slice(0, -1)
  if (lines.length !== count || (await rootOf(lines)) !== root)
    throw new Refusal('list', 'The list of assets does not lead to the root in the certificate')
  return lines
}
