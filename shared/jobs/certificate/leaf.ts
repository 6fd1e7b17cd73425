import { listChunks } from '../../store/chunks.ts'
import type { EngineFacts } from '../../store/evidence.ts'
import { nameOfEngine } from '../../store/evidence.ts'
import type { ResultRecord } from '../../store/jobs.ts'
import { canonical } from './canonical.ts'
import { keyed } from './keyed.ts'

/** Numbers the engines of a job in the order in which they come up. */
export type Engines = { list: EngineFacts[]; numberOf(engine: EngineFacts): number }

/** Starts without any. */
export function createEngines(): Engines {
  const numbers = new Map<string, number>()
  const list: EngineFacts[] = []
  return {
    list,
    numberOf(engine) {
      const name = nameOfEngine(engine)
      const known = numbers.get(name) ?? list.push(engine) - 1
      numbers.set(name, known)
      return known
    },
  }
}

/** An output as a certificate names it: by its digest, or by those of its parts in their order. */
export type OutputFacts = { name: string; size: number } & (
  | { sha256: string }
  | { parts: [size: number, sha256: string][] }
)

/** The output of an asset; undefined when its digest was never taken, null when it has none. */
async function outputOf(jobId: string, result: ResultRecord): Promise<OutputFacts | null | undefined> {
  const { assetId, name, outputAssetId, bytesOut: size, evidence } = result
  if (!outputAssetId) return null
  if (!evidence) return undefined
  if (evidence.output) return { name, size, sha256: evidence.output }
  const parts: [number, string][] = []
  for (const { bytesOut, sha256 } of await listChunks(jobId, assetId)) {
    if (sha256 === undefined) return undefined
    parts.push([bytesOut, sha256])
  }
  return { name, size, parts }
}

/** What became of an asset, as a line of the list that a certificate is about; `output` as above. */
export type Leaf = { line: string; output: OutputFacts | null }

/**
 * What a certificate says of an asset: numbers, names of rules and labels, digests. Names of inputs and the words of errors
 * and warnings may tell what was in the file, so they are left out. Undefined where the digest of an output was never taken.
 */
export async function leafOf(
  jobId: string,
  result: ResultRecord,
  { salt, engines }: { salt: string; engines: Engines },
): Promise<Leaf | undefined> {
  const { assetId, status, findings, report, risk, errors, bytesIn, evidence } = result
  const output = await outputOf(jobId, result)
  if (output === undefined) return undefined
  const input = evidence?.input ? keyed(salt, 'input', `${assetId}:${evidence.input}`) : {}
  const leaf = {
    assetId,
    status,
    input: { size: bytesIn, ...input },
    output,
    findings: findings.map(({ ruleId, count, labels }) => ({ ruleId, count, labels })),
    ...(report && {
      format: report.format,
      examined: report.examined,
      searched: report.searched,
      dropped: report.dropped,
      rasterised: report.rasterised,
      neutralised: report.neutralised,
      ocr: report.ocr,
      warnings: report.warnings.length,
    }),
    risk,
    errors: errors.map(({ type }) => type),
    engines: (evidence?.engines ?? []).map(engine => engines.numberOf(engine)),
  }
  return { line: canonical(leaf), output }
}
