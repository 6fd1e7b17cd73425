import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { version } from '../../shared/api/version.ts'
import type { Outcome, Placed } from './outcome.ts'
import { placeOf } from './places.ts'
import { shortFrom } from './report.ts'

const uriOf = (file: string, from: string): string => {
  const short = shortFrom(from)(file)
  return isAbsolute(short) ? pathToFileURL(short).href : short.split(/[/\\]/).map(encodeURIComponent).join('/')
}

function resultOf(uri: string, match: Placed) {
  const { label, score, line, column, value } = match
  const region = line === undefined ? undefined : regionOf(line, column!, value)
  const place = placeOf(match)
  return {
    ruleId: label,
    level: 'warning',
    message: { text: `${label} found${line === undefined && place ? ` (${place})` : ''}` },
    locations: [{ physicalLocation: { artifactLocation: { uri }, ...(region && { region }) } }],
    properties: { score },
  }
}

function regionOf(startLine: number, startColumn: number, value: string) {
  const lines = value.split('\n')
  const last = lines.at(-1)!
  const endColumn = lines.length === 1 ? startColumn + last.length : last.length + 1
  return { startLine, startColumn, endLine: startLine + lines.length - 1, endColumn }
}

/** What a dry run found, as SARIF 2.1.0: places and labels, no values. */
export function sarifOf(outcomes: Outcome[], from: string): string {
  const labels = new Set(outcomes.flatMap(({ matches = [] }) => matches.map(({ label }) => label)))
  const rules = [...labels]
    .sort()
    .map(id => ({ id, shortDescription: { text: `Personal or confidential data: ${id}` } }))
  const failed = outcomes.filter(({ problems }) => problems.length > 0)
  const notifications = failed.map(({ file, problems }) => ({
    level: 'error',
    message: { text: problems.join('; ') },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file, from) } } }],
  }))
  const run = {
    tool: { driver: { name: 'anonymise', version, rules } },
    columnKind: 'utf16CodeUnits',
    invocations: [{ executionSuccessful: failed.length === 0, toolExecutionNotifications: notifications }],
    results: outcomes.flatMap(({ file, matches = [] }) => matches.map(match => resultOf(uriOf(file, from), match))),
  }
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json'
  return JSON.stringify({ $schema, version: '2.1.0', runs: [run] }, null, 2)
}
