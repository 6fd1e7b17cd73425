// What the action runs: a dry run of the command, its findings as SARIF, a summary of them, and a status. Plain
// JavaScript, because it runs on whatever Node.js the runner has. Everything it is told comes as environment.
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { PATHS = '.', PRESET = 'default', FAIL = 'true', SARIF = 'personal-data.sarif', BASE = '' } = process.env

/** Room for the report of a large repository, bytes. */
const maxBuffer = 2 ** 30

const paths = PATHS.split('\n')
  .map(path => path.trim())
  .filter(path => path !== '')
const chosen = BASE ? changedSince(BASE, paths) : paths
const report = chosen.length > 0 ? dryRun(chosen) : undefined
const run = report?.runs[0]
const results = run?.results ?? []
const unread = run?.invocations?.flatMap(({ toolExecutionNotifications = [] }) => toolExecutionNotifications) ?? []
if (report) writeFileSync(SARIF, JSON.stringify(report))
tell('GITHUB_OUTPUT', `found=${results.length}\nsarif=${report ? SARIF : ''}\n`)
tell('GITHUB_STEP_SUMMARY', summary())
console.log(summary())
process.exit(results.length > 0 && FAIL === 'true' ? 1 : 0)

/** Files that the pull request adds or changes. The base is fetched, because a checkout is shallow unless told otherwise. */
function changedSince(base, below) {
  if (!/^[0-9a-f]{40,64}$/.test(base)) stop(`The base of the pull request is no commit: ${base}`)
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer })
  try {
    git('cat-file', '-e', `${base}^{commit}`)
  } catch {
    git('fetch', '--quiet', '--depth=1', 'origin', base)
  }
  return git('diff', '--name-only', '-z', '--diff-filter=d', base, 'HEAD', '--', ...below)
    .split('\0')
    .filter(name => name !== '')
    .map(name => `./${name}`)
}

/** The findings in these files as SARIF. Ends the action where the command can't be carried out. */
function dryRun(files) {
  const command = join(import.meta.dirname, '..', 'bin.mjs')
  const args = [command, ...files, '--dry-run', '--sarif', '--quiet', '--preset', PRESET]
  const { stdout, error } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (error) stop(error.message)
  try {
    return JSON.parse(stdout)
  } catch {
    stop('Nothing was looked at: the command could not be carried out.')
  }
}

/** What was found as Markdown: places and labels, no values. */
function summary() {
  if (!report) return 'Nothing was changed, so nothing was looked at.\n'
  const lines = [`${results.length} places hold personal data.`]
  if (results.length > 0) lines.push('', '| Where | What |', '|---|---|', ...results.slice(0, 100).map(row))
  if (results.length > 100) lines.push('', `${results.length - 100} more are in ${SARIF}.`)
  if (unread.length > 0) lines.push('', `${unread.length} files could not be read, so nobody knows what they hold:`, '')
  lines.push(...unread.slice(0, 100).map(({ locations, message }) => `- ${placeOf({ locations })}: ${message.text}`))
  return `${lines.join('\n')}\n`
}

function row(result) {
  return `| ${placeOf(result).replaceAll('|', '\\|')} | ${result.ruleId} |`
}

function placeOf({ locations: [{ physicalLocation: place }] }) {
  return [decodeURIComponent(place.artifactLocation.uri), place.region?.startLine].filter(Boolean).join(':')
}

function tell(file, text) {
  if (process.env[file]) appendFileSync(process.env[file], text)
}

function stop(message) {
  console.error(message)
  process.exit(2)
}
