import { type Case, cases, type Row, rows } from '../test/sources/cells.ts'

/** What every kind of source is tried with, and on what, as Markdown. */
export function conformancePage(): string {
  const reasons: string[] = []
  const note = (reason: string) => {
    if (!reasons.includes(reason)) reasons.push(reason)
    return `[${reasons.indexOf(reason) + 1}]`
  }
  const cell = ({ untried = {}, standIn = [] }: Row, which: Case) =>
    untried[which] !== undefined ? note(untried[which]) : standIn.includes(which) ? 'stand-in' : 'yes'
  const lines = Object.entries(rows as Record<string, Row>).map(
    ([name, row]) => `| ${name} | ${cases.map(which => cell(row, which)).join(' | ')} |`,
  )
  const servers = Object.entries(rows as Record<string, Row>).map(
    ([name, { kind, on }]) => `| ${name} | ${kind} | ${on} |`,
  )
  return `# What sources are tried with

Made from the code by \`npm run docs\`. The suites in \`test/sources\` are held to this table: a case that a suite leaves out fails it.

| | ${cases.join(' | ')} |
|---|${'---|'.repeat(cases.length)}
${lines.join('\n')}

- yes: tried on what the next table names. Where a server is missing, its suite says that it is skipped.
- stand-in: tried with a stand-in for the driver, which answers with the driver's error codes; no server is involved.
${reasons.map((reason, at) => `- [${at + 1}] ${reason}`).join('\n')}

*Nothing there* is a database, folder or bucket that does not exist; *another identity* a changed host key, or a certificate
of another authority than the one that the source names; *lost while reading* a connection that breaks off in the middle.

| | kind | tried on |
|---|---|---|
${servers.join('\n')}
`
}
