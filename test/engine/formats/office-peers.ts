import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { shortLived } from '../../java.ts'

/** A file and the kind of Office file it is: `docx`, `xlsx` or `pptx`. */
export type Written = { kind: string; path: string }

/** What a program says of each file, which it is given by name: `ok` where it reads it. */
const ask =
  (...command: string[]) =>
  (files: readonly Written[]): string[] => {
    const input = files.map(({ kind, path }) => `${kind}\t${path}`).join('\n')
    const { stdout } = spawnSync(command[0]!, command.slice(1), { input, encoding: 'utf8', maxBuffer: 2 ** 26 })
    return stdout.trimEnd().split('\n')
  }

/** Python with python-docx, openpyxl and python-pptx; a folder with the archives of Apache POI. */
const python = process.env.PYTHON ?? 'python3'
const poi = process.env.POI ?? ''

/** Strict readers of Office files, and whether they are here. */
export const officePeers = {
  Python: {
    has: spawnSync(python, ['-c', 'import docx, openpyxl, pptx']).status === 0,
    open: ask(python, join(import.meta.dirname, 'office-peer.py')),
  },
  POI: {
    has: existsSync(poi) && spawnSync('java', ['-version']).status === 0,
    open: ask('java', ...shortLived, '-cp', `${poi}/*`, join(import.meta.dirname, 'poi/OpenOffice.java')),
  },
}
