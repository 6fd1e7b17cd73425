import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

type Test = { fullName: string; status: string }
type File = {
  name: string
  status: string
  message: string
  startTime: number
  endTime: number
  assertionResults: Test[]
}
type Suite = { testResults: File[] }

/** What functions said of their failures, which hold no data of requests. */
export const printErrors = `for group in $(aws logs describe-log-groups --query 'logGroups[].logGroupName' --output text); do
  aws logs filter-log-events --log-group-name "$group" --filter-pattern ERROR --query 'events[].message' --output text |
    tr '\\t' '\\n' | grep '"level":"ERROR"' | tail -5 | cut -c1-900 || true
done`

/** Compares what the suites say with the list of differences, and gives the files in which something fails that isn't in it. */
export function judge(reports: string[], differences: Record<string, string>): string[] {
  const results = reports.flatMap(report => (JSON.parse(readFileSync(report, 'utf8')) as Suite).testResults)
  const tests = results.flatMap(file => file.assertionResults)
  const failed = tests.filter(({ status }) => status === 'failed')
  const unexpected = failed.filter(({ fullName }) => !(fullName in differences))
  // A file that fails before its tests skips them all.
  const broken = results.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(test => test.status === 'failed'),
  )
  const passed = tests.filter(({ status }) => status === 'passed')
  const count = (list: unknown[]) => `${list.length}`.padStart(4)
  console.log(
    `\n${count(passed)} passed, ${count(failed)} failed, ${tests.length - passed.length - failed.length} skipped`,
  )
  for (const { name, startTime, endTime } of slowest(results)) {
    console.log(`  ${Math.round((endTime - startTime) / 1000)} s ${relative(process.cwd(), name)}`)
  }
  for (const { fullName } of failed) {
    console.log(`- ${fullName}: ${differences[fullName] ?? 'UNEXPECTED'}`)
  }
  for (const { name, message } of broken) console.log(`- ${name}: ${message}: UNEXPECTED`)
  for (const { fullName } of passed.filter(({ fullName }) => fullName in differences)) {
    console.log(`- ${fullName} passes now: take it off the list of differences`)
  }
  const wrong = ({ assertionResults }: File) => assertionResults.some(test => unexpected.includes(test))
  return results.filter(file => passed.length === 0 || wrong(file) || broken.includes(file)).map(({ name }) => name)
}

/** The files that take most of the time. */
const slowest = (files: File[]): File[] =>
  [...files].sort((a, b) => b.endTime - b.startTime - (a.endTime - a.startTime)).slice(0, 8)
