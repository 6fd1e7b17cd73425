import { randomUUID } from 'node:crypto'
import { columnMatcher } from '../columns/match.ts'
import type { Detector, Span } from '../detect/span.ts'
import { EngineError } from '../errors.ts'
import type { OpenFile, Place, Segment } from '../formats/format.ts'
import { subjectOf } from '../operators/index.ts'
import type { Plan } from '../plan.ts'
import { sheetOf } from '../risk/record-assembler.ts'

/** Whose a value is: the subject that a replacement of a rule goes by, at a place. */
export type Subjects = (rule: number, place: Place) => string | undefined

/** Most records whose subjects are remembered. */
const maxRecords = 5_000_000

/** What tells one subject: a text of a segment, if there is one in it. */
type Teller = { tell(segment: Segment, spans: readonly Span[]): string | undefined; asks: boolean }

/** Whether what a rule finds tells whose other values are. */
export const tellsSubjects = ({ rules }: Plan): boolean =>
  rules.some(({ replacement }) => {
    const by = subjectOf(replacement)
    return by !== undefined && 'rule' in by
  })

/** The same subject however it is written. */
const canonical = (text: string) => text.normalize('NFKC').trim().toLowerCase()

function tellerFor(plan: Plan, rule: number): Teller | undefined {
  const by = subjectOf(plan.rules[rule]!.replacement)
  if (!by) return undefined
  if ('column' in by) {
    const isOne = columnMatcher([by.column])
    const tell = ({ text, place: { kind, column } }: Segment) =>
      kind === 'cell' && column !== undefined && isOne(column) ? text : undefined
    return { tell, asks: false }
  }
  const wanted = plan.rules.findIndex(({ ruleId }) => ruleId === by.rule)
  if (wanted < 0) throw new EngineError('invalid_workflow', 'A replacement names a rule that is not in the workflow')
  const tell = ({ text }: Segment, spans: readonly Span[]) => {
    const found = spans.filter(one => one.rule === wanted && one.start >= 0 && one.end <= text.length)
    const first = found.toSorted((a, b) => a.start - b.start)[0]
    return first && text.slice(first.start, first.end)
  }
  return { tell, asks: true }
}

const recordOf = (place: Place) => (place.row === undefined ? '' : `${sheetOf(place)}|${place.row}`)

/** The first subject of each record, or of the document, that a teller tells. */
function collector({ tell }: Teller) {
  const numbers = new Map<string, number>()
  const subjects: string[] = []
  const byRecord = new Map<string, number>()
  return {
    see(segment: Segment, spans: readonly Span[]) {
      const record = recordOf(segment.place)
      if (byRecord.has(record)) return
      const text = canonical(tell(segment, spans) ?? '')
      if (text === '') return
      if (byRecord.size >= maxRecords)
        throw new EngineError('limit_exceeded', `Shifting dates by subject is limited to ${maxRecords} records`)
      let number = numbers.get(text)
      if (number === undefined) {
        number = subjects.length
        // A copy, lest it keep the whole batch that it was cut from.
        const own = Buffer.from(text).toString()
        numbers.set(own, number)
        subjects.push(own)
      }
      byRecord.set(record, number)
    },
    of: (record: string) => subjects[byRecord.get(record) ?? -1],
  }
}

/**
 * Goes through a file to find whose its values are, where replacements go by that: in a table, what stands in the same record;
 * in a document, what stands in it first. Without one, a record or document is a subject of its own. Nothing where no replacement asks.
 */
export async function findSubjects(
  plan: Plan,
  file: Pick<OpenFile, 'segments'>,
  detector: () => Detector,
): Promise<Subjects | undefined> {
  const tellers = plan.rules.map((_, rule) => tellerFor(plan, rule))
  const collectors = tellers.map(teller => teller && collector(teller))
  if (!collectors.some(Boolean)) return undefined
  const asked = tellers.some(teller => teller?.asks) ? detector() : undefined
  for await (const batch of file.segments()) {
    const found = await asked?.detect(batch)
    for (const [index, segment] of batch.entries())
      for (const one of collectors) one?.see(segment, found?.[index] ?? [])
  }
  const own = randomUUID()
  return (rule, place) => {
    const known = collectors[rule]
    if (!known) return undefined
    const record = recordOf(place)
    const subject = known.of(record)
    return subject === undefined ? `own|${own}|${record}` : `is|${subject}`
  }
}
