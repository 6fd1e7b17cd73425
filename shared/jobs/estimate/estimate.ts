import type { Estimate, FileKind, Reader } from '../../api/estimates.ts'
import { price } from './prices.ts'
import { type Range, speeds, usual } from './speeds.ts'

/** A file, by what its time depends on. */
export type EstimatedFile = { kind: FileKind; reader: Reader; bytes: number; isTable: boolean }

/** How a job is worked on. */
type Way = { isInspection: boolean; isReviewed: boolean; chunkBytes: number }

type Counted = { assets: number; bytes: number; work: Range }

const plus = (a: Range, b: Range): Range => [a[0] + b[0], a[1] + b[1]]
const times = ([from, to]: Range, factor: number): Range => [from * factor, to * factor]

/** What the files of a job take and cost, by their kinds; nothing of it is more exact than its range. */
export function estimate(files: readonly EstimatedFile[], way: Way): Omit<Estimate, 'uncounted' | 'unmeasured'> {
  const kinds = new Map<string, Counted & Pick<EstimatedFile, 'kind' | 'reader'>>()
  let total: Range = [0, 0]
  let longest: Range = [0, 0]
  for (const file of files) {
    const { kind, reader, bytes } = file
    const work = workOn(file, way)
    const before = kinds.get(`${kind} ${reader}`) ?? { kind, reader, assets: 0, bytes: 0, work: [0, 0] }
    kinds.set(`${kind} ${reader}`, {
      ...before,
      assets: before.assets + 1,
      bytes: before.bytes + bytes,
      work: plus(before.work, work),
    })
    total = plus(total, work)
    const alone = times(work, Math.min(1, way.chunkBytes / Math.max(1, file.isTable ? bytes : 0)))
    longest = [Math.max(longest[0], alone[0]), Math.max(longest[1], alone[1])]
  }
  const { workers, start, cold } = usual
  const seconds: Range = [
    start[0] + Math.max(longest[0], total[0] / workers[1]),
    start[1] + cold + Math.max(longest[1], total[1] / workers[0]),
  ]
  return {
    assets: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    seconds: rounded(seconds),
    workerSeconds: rounded(total),
    dollars: rounded(costOf(files.length, total)),
    pageSeconds: [...kinds.values()].some(({ kind }) => mayHoldScans(kind)) ? rounded(usual.page) : null,
    kinds: [...kinds.values()].map(({ work, ...counted }) => ({ ...counted, workerSeconds: rounded(work) })),
  }
}

/** Whether files of a kind may have pages or pictures whose text must be recognised, which their sizes don't tell. */
const mayHoldScans = (kind: FileKind): boolean => kind === 'pdf' || kind === 'office' || kind === 'workbook'

/** Worker seconds of one file. */
function workOn({ kind, reader, bytes }: EstimatedFile, { isInspection, isReviewed }: Way): Range {
  const [quick, slow] = speeds[kind][reader]
  const alone = kind === 'picture' ? usual.page : usual.each[reader]
  const once = plus(alone, times([quick, slow], bytes / 1e6))
  if (isInspection) return [once[0] * usual.inspection, once[1]]
  return isReviewed ? [once[0] * (1 + usual.inspection), once[1] * 2] : once
}

function costOf(assets: number, work: Range): Range {
  const second = (usual.workerGigabytes * price.gbSecond) / 1e6
  const requests = (usual.jobDollars + assets * usual.fileDollars) / 1e6
  return [requests + work[0] * second, requests + work[1] * second]
}

/** To one digit, outwards. */
const rounded = ([from, to]: Range) => ({ from: toOneDigit(from, Math.floor), to: toOneDigit(to, Math.ceil) })

function toOneDigit(value: number, round: (value: number) => number): number {
  if (value <= 0) return 0
  const unit = 10 ** Math.floor(Math.log10(value))
  return Number((round(Number((value / unit).toPrecision(6))) * unit).toPrecision(1))
}
