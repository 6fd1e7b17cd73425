import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'

// Words a second of both shipped models, in one thread, and of Presidio with the middle model of spaCy on the same texts: processes in
// turns, processor time. `PYTHON` names a Python with presidio-analyzer, `SPACY_MODEL` the folder of `en_core_web_md`. Where
// the processor has VNNI, the models run again as if it had none, and as if it had no AVX-512 either.

const TURNS = Number(process.env.TURNS ?? 3)
const file = join(import.meta.dirname, '../../shared/data/open/tab-dev-21.jsonl')
const { PYTHON = 'python3', SPACY_MODEL } = process.env

if (!existsSync(file)) {
  console.log('skipped: the court cases are not there')
  process.exit(0)
}
const words = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .reduce((sum, line) => sum + (JSON.parse(line) as { text: string }).text.split(/\s+/).filter(Boolean).length, 0)

const directory = mkdtempSync(join(tmpdir(), 'bench-words-'))
const preload = join(directory, 'without-vnni.so')
const processor = existsSync('/proc/cpuinfo') ? readFileSync('/proc/cpuinfo', 'utf8') : ''
const compiler = ['-O1', '-shared', '-fPIC', '-o', preload, join(import.meta.dirname, 'without-vnni.c'), '-ldl']
const mayHide = processor.includes('cpuid_fault') && spawnSync('cc', compiler).status === 0

type Side = { name: string; command: string; args: string[]; env?: Record<string, string> }
const ours = (name: string, env?: Record<string, string>): Side => ({
  name,
  command: process.execPath,
  args: [join(import.meta.dirname, 'words-child.ts'), file],
  env,
})
const sides = [ours('both models, the processor as it is')]
if (mayHide) {
  sides.push(ours('the same without VNNI', { LD_PRELOAD: preload }))
  sides.push(ours('the same without AVX-512', { LD_PRELOAD: preload, HIDE_AVX512: '1' }))
} else console.log('skipped: this processor, or the lack of a C compiler, lets no instructions be hidden')
const hasPeer = spawnSync(PYTHON, ['-c', 'import presidio_analyzer']).status === 0 && existsSync(SPACY_MODEL ?? '')
if (hasPeer)
  sides.push({ name: 'Presidio', command: PYTHON, args: [join(import.meta.dirname, 'words.py'), file, SPACY_MODEL!] })
else console.log('skipped: no Python with presidio-analyzer, or no folder of a model of spaCy, is here')

/** Words a second of processor time of a process. */
function speed({ name, command, args, env }: Side): number {
  const { stdout, status } = spawnSync(command, args, { env: { ...process.env, ...env }, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} failed`)
  const { seconds } = JSON.parse(stdout.trim().split('\n').at(-1)!) as { seconds: number }
  return words / seconds
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[all.length >> 1]!
const measured = sides.map(() => [] as number[])
for (let turn = 0; turn < TURNS; turn++) for (const [i, side] of sides.entries()) measured[i]!.push(speed(side))
rmSync(directory, { recursive: true })

console.log(`${words} words, ${TURNS} turns, one thread each, ${cpus()[0]?.model.trim()}, Node.js ${process.version}\n`)
console.log(`| | words a second${hasPeer ? ' | of Presidio' : ''} |\n|---|---|${hasPeer ? '---|' : ''}`)
for (const [i, { name }] of sides.entries()) {
  const ratios = measured[i]!.map((own, turn) => own / measured.at(-1)![turn]!)
  console.log(`| ${name} | ${Math.round(median(measured[i]!))} |${hasPeer ? ` ${median(ratios).toFixed(2)} |` : ''}`)
}
