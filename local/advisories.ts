// Asks the registry for known weaknesses of the packages that ship, and fails if one is grave: npm run audit
import { spawnSync } from 'node:child_process'

type Weakness = { name: string; severity: string; range: string; via: (string | { title: string; url: string })[] }
type Report = { vulnerabilities?: Record<string, Weakness>; message?: string; error?: { summary?: string } }

const npm = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
  maxBuffer: 64 * 1024 ** 2,
})
const report = JSON.parse(npm.stdout || '{}') as Report

if (!report.vulnerabilities) {
  // Mirrors and offline machines know packages but no advisories: nothing is known then, which is no good news.
  console.log(`Skipped: the registry answers no questions about advisories (${report.message ?? npm.stderr.trim()})`)
} else {
  const weaknesses = Object.values(report.vulnerabilities)
  for (const { name, severity, range, via } of weaknesses) {
    const known = via.map(why => (typeof why === 'string' ? `by way of ${why}` : `${why.title} (${why.url})`))
    console.log(`${severity}: ${name} ${range}: ${known.join('; ')}`)
  }
  const grave = weaknesses.filter(({ severity }) => severity === 'high' || severity === 'critical')
  console.log(`${weaknesses.length} packages that ship have known weaknesses, ${grave.length} of them grave`)
  process.exitCode = grave.length > 0 ? 1 : 0
}
