import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { hasLibreOffice, pagesInLibreOffice } from '../test/engine/formats/libreoffice.ts'
import { officePeers } from '../test/engine/formats/office-peers.ts'
import { guarded } from './guarded.ts'
import type { Job, Outcome } from './office-readers-child.ts'

// What other programs say of Office files that were anonymised: the three most frequent words of each file are masked, and
// python-docx, openpyxl, python-pptx, Apache POI (`PYTHON`, `POI` name them as in the tests) and LibreOffice must open each
// output whose input they open. LibreOffice prints both, and the numbers of their pages are compared. Arguments: folders of
// Office files; figures come for each.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Every so many-th file is taken. */
    every: { type: 'string', default: '1' },
    /** Every so many-th output is printed by LibreOffice, and every one in OpenDocument, which no other program here reads. */
    print: { type: 'string', default: '1' },
    /** Seconds of processor time after which a file is given up. */
    seconds: { type: 'string', default: '60' },
  },
})

/** What readers of Office files call templates, presentations that start by themselves and files with macros. */
const kinds: Record<string, string> = {
  ...{ docx: 'docx', docm: 'docx', dotx: 'docx', dotm: 'docx' },
  ...{ xlsx: 'xlsx', xlsm: 'xlsx', xltx: 'xlsx', xltm: 'xlsx' },
  ...{ pptx: 'pptx', pptm: 'pptx', potx: 'pptx', potm: 'pptx', ppsx: 'pptx', ppsm: 'pptx' },
  ...{ odt: 'odt', ods: 'ods', odp: 'odp', ott: 'odt', ots: 'ods', otp: 'odp' },
}

const extensionOf = (path: string): string => path.split('.').at(-1)!.toLowerCase()

const officeFilesIn = (folder: string): string[] => {
  if (existsSync(folder))
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => kinds[extensionOf(name)])
      .sort()
      .map(name => join(folder, name))
  console.log(`skipped: ${folder} is not there`)
  return []
}

for (const [name, { has }] of Object.entries({ ...officePeers, LibreOffice: { has: hasLibreOffice } }))
  if (!has) console.log(`skipped: ${name} is not here`)

const { check, close } = guarded<Job, Outcome>(
  fileURLToPath(new URL('office-readers-child.ts', import.meta.url)),
  Number(values.seconds),
)

type Clean = { path: string; output: string; kind: string }

/** How many inputs a reader opens, and the outputs of those that it refuses. */
const refusedBy = (open: (files: { kind: string; path: string }[]) => string[], files: readonly Clean[]) => {
  const before = open(files.map(({ kind, path }) => ({ kind, path })))
  const after = open(files.map(({ kind, output }) => ({ kind, path: output })))
  const refused = files.flatMap(({ path }, i) =>
    before[i] === 'ok' && after[i] !== 'ok' ? [{ path, said: after[i] }] : [],
  )
  return { opened: before.filter(said => said === 'ok').length, refused }
}

/** Few at once, as some take very long to print. */
const printing = { atOnce: 8, seconds: 45 }

/** How many inputs LibreOffice prints, and the outputs that have another number of pages. */
const printedOtherwise = (files: readonly Clean[]) => {
  const before = pagesInLibreOffice(
    files.map(({ kind, path }) => ({ kind, path })),
    printing,
  )
  const after = pagesInLibreOffice(
    files.map(({ kind, output }) => ({ kind, path: output })),
    printing,
  )
  const otherwise = files.flatMap(({ path }, i) =>
    before[i] && before[i] !== after[i] ? [{ path, before: before[i], after: after[i] }] : [],
  )
  return { opened: before.filter(pages => pages > 0).length, otherwise }
}

/** Figures of one folder. */
const checkAll = async (folder: string, outputs: string) => {
  const clean: Clean[] = []
  const found: Record<string, number> = {}
  const totals = { files: 0, words: 0, left: 0, slow: 0, seconds: 0 }
  const files = officeFilesIn(folder).filter((_, i) => i % Number(values.every) === 0)
  for (const [n, path] of files.entries()) {
    const job = { path, output: join(outputs, `${n}.${extensionOf(path)}`) }
    const outcome: Outcome = await check(job)
    found[outcome.kind] = (found[outcome.kind] ?? 0) + 1
    totals.files++
    totals.words += outcome.words ?? 0
    totals.left += outcome.left?.length ?? 0
    totals.seconds += outcome.seconds
    if (outcome.seconds > 10) totals.slow++
    if (outcome.kind === 'clean') clean.push({ ...job, kind: kinds[extensionOf(path)]! })
    console.log(JSON.stringify({ path, ...outcome }))
  }
  console.log(
    `${folder} ${JSON.stringify({ ...totals, seconds: Math.round(totals.seconds) })} ${JSON.stringify(found)}`,
  )
  const isOpen = ({ kind }: Clean) => kind.startsWith('od')
  const office = clean.filter(file => !isOpen(file))
  for (const [name, { has, open }] of Object.entries(officePeers))
    if (has && office.length > 0) console.log(`${folder} ${name} ${JSON.stringify(refusedBy(open, office))}`)
  const printed = clean.filter((file, i) => isOpen(file) || i % Number(values.print) === 0)
  if (hasLibreOffice) console.log(`${folder} LibreOffice ${JSON.stringify(printedOtherwise(printed))}`)
}

for (const folder of positionals) {
  const outputs = mkdtempSync(join(tmpdir(), 'office-readers-'))
  await checkAll(folder, outputs)
  rmSync(outputs, { recursive: true })
}
close()
