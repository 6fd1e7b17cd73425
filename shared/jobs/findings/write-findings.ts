import type { FindingPage, PlacedFinding } from '../../api/findings.ts'
import { version } from '../../api/version.ts'

const columns = [
  'id',
  'assetId',
  'label',
  'rule',
  'ruleId',
  'score',
  'reason',
  'pattern',
  'kind',
  'part',
  'page',
  'row',
  'rows',
  'column',
  'start',
  'end',
] as const

/** A cell of CSV that no spreadsheet program runs: names of rules and columns may begin as a formula does. */
function cell(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Findings as CSV (RFC 4180); only the first page names the columns, so that the pages make one file. */
export function findingsCsv({ findings }: FindingPage, isFirst: boolean): string {
  const rows = findings.map(({ place, reason, ...told }) => {
    const fields: Partial<Record<(typeof columns)[number], string | number>> = {
      ...told,
      ...place,
      reason: reason.by,
      pattern: reason.pattern,
    }
    return columns.map(name => cell(fields[name])).join(',')
  })
  return [...(isFirst ? [columns.join(',')] : []), ...rows].map(row => `${row}\r\n`).join('')
}

const placeInWords = ({ kind, part, page, row, column }: PlacedFinding['place']): string =>
  [
    kind,
    part,
    page === undefined ? undefined : `page ${page}`,
    row === undefined ? undefined : `row ${row}`,
    column === undefined ? undefined : `column ${column}`,
  ]
    .filter(word => word !== undefined)
    .join(', ')

const resultOf = ({ id, assetId, label, rule, ruleId, score, place, start, end }: PlacedFinding) => ({
  ruleId: label,
  level: 'warning',
  message: { text: `${label} found (${placeInWords(place)})` },
  locations: [
    {
      physicalLocation: { artifactLocation: { uri: `assets/${assetId}` } },
      logicalLocations: [{ fullyQualifiedName: placeInWords(place) }],
    },
  ],
  partialFingerprints: { 'finding/v1': id },
  properties: { score, rule, ruleId, place, start, end },
})

/** Findings as a log of SARIF 2.1.0, a log of its own for each page. */
export function findingsSarif({ findings }: FindingPage): string {
  const labels = [...new Set(findings.map(({ label }) => label))].sort()
  const rules = labels.map(id => ({ id, shortDescription: { text: `Personal or confidential data: ${id}` } }))
  const run = {
    tool: { driver: { name: 'anonymisation-service', version, rules } },
    columnKind: 'utf16CodeUnits',
    results: findings.map(resultOf),
  }
  return JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] })
}
