// Runs the files again that failed in the last run, one after the other: node test/failed.ts [options of vitest]
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { failedFiles } from './outcome.ts'

/** With more files than this it is no chance that they failed. */
const MOST = 3

const files = existsSync(failedFiles) ? (JSON.parse(readFileSync(failedFiles, 'utf8')) as string[]) : []
if (files.length === 0 || files.length > MOST) {
  console.log(files.length === 0 ? 'What failed was not in a file of tests' : `${files.length} files failed`)
  process.exit(1)
}
console.log(`\nOnce more, by themselves: ${files.join(', ')}`)
const { status } = spawnSync('vitest', ['run', '--no-file-parallelism', ...files, ...process.argv.slice(2)], {
  stdio: 'inherit',
})
if (status === 0) console.log(`\nFailed beside others, passed by themselves, to be mended: ${files.join(', ')}`)
rmSync(failedFiles, { force: true })
process.exit(status ?? 1)
