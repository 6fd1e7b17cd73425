import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = process.env.SOFFICE ?? 'soffice'

/** Whether LibreOffice is here. */
export const hasLibreOffice = spawnSync(program, ['--version']).status === 0

/** Files that LibreOffice is given at once: a crash costs those behind it another start. */
const atOnce = 40

/** Of each file, by its kind, the number of pages that LibreOffice prints of it; 0 where it does not read it. */
export function pagesInLibreOffice(files: readonly { kind: string; path: string }[]): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'soffice-'))
  const out = join(folder, 'out')
  mkdirSync(out)
  const named = files.map(({ kind, path }, n) => {
    copyFileSync(path, join(folder, `${n}.${kind}`))
    return { path: join(folder, `${n}.${kind}`), printed: join(out, `${n}.pdf`) }
  })
  const print = (some: typeof named) =>
    spawnSync(
      program,
      [
        `-env:UserInstallation=file://${folder}/profile`,
        ...['--headless', '--norestore', '--convert-to', 'pdf', '--outdir', out],
        ...some.map(({ path }) => path),
      ],
      { timeout: 600_000, stdio: 'ignore' },
    )
  try {
    for (let at = 0; at < named.length; at += atOnce) print(named.slice(at, at + atOnce))
    for (const file of named) if (!existsSync(file.printed)) print([file])
    return named.map(({ printed }) => (existsSync(printed) ? pagesOf(readFileSync(printed, 'latin1')) : 0))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const pagesOf = (pdf: string): number => pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0
