import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = process.env.SOFFICE ?? 'soffice'

/** Whether LibreOffice is here. */
export const hasLibreOffice = spawnSync(program, ['--version']).status === 0

/** What a file of a kind is turned into, to see whether it is read. */
const targets: Readonly<Record<string, string>> = {
  docx: 'txt:Text (encoded):UTF8',
  odt: 'txt:Text (encoded):UTF8',
  xlsx: 'csv',
  ods: 'csv',
  pptx: 'odp',
  odp: 'odp',
}

/** Files that LibreOffice is given at once: a crash costs those behind it another start. */
const atOnce = 40

/** Of each file with its kind: `ok` where LibreOffice reads it. */
export function openInLibreOffice(files: readonly { kind: string; path: string }[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'soffice-'))
  const out = join(folder, 'out')
  mkdirSync(out)
  const named = files.map(({ kind, path }, n) => {
    copyFileSync(path, join(folder, `${n}.${kind}`))
    return { kind, path: join(folder, `${n}.${kind}`), result: join(out, `${n}.${targets[kind]!.split(':')[0]}`) }
  })
  const isRead = ({ result }: { result: string }) => existsSync(result)
  const convert = (some: typeof named, target: string) =>
    spawnSync(
      program,
      [
        `-env:UserInstallation=file://${folder}/profile`,
        ...['--headless', '--norestore', '--convert-to', target, '--outdir', out],
        ...some.map(({ path }) => path),
      ],
      { timeout: 600_000, stdio: 'ignore' },
    )
  try {
    for (const target of new Set(Object.values(targets))) {
      const own = named.filter(({ kind }) => targets[kind] === target)
      for (let at = 0; at < own.length; at += atOnce) convert(own.slice(at, at + atOnce), target)
      for (const file of own) if (!isRead(file)) convert([file], target)
    }
    return named.map(file => (isRead(file) ? 'ok' : 'refused'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
