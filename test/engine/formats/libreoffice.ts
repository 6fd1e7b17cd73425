import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = process.env.SOFFICE ?? 'soffice'

/** Whether LibreOffice is here. */
export const hasLibreOffice = spawnSync(program, ['--version']).status === 0

/**
 * Of each file, by its kind, the number of pages that LibreOffice prints of it; 0 where it does not read it.
 * @param atOnce files that it is given at once: a crash, or a file that takes more seconds, costs those behind it another start
 */
export function pagesInLibreOffice(
  files: readonly { kind: string; path: string }[],
  { atOnce = 40, seconds = 600 } = {},
): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'soffice-'))
  const out = join(folder, 'out')
  mkdirSync(out)
  const named = files.map(({ kind, path }, n) => {
    copyFileSync(path, join(folder, `${n}.${kind}`))
    return { path: join(folder, `${n}.${kind}`), printed: join(out, `${n}.pdf`) }
  })
  const print = (some: typeof named) =>
    // It starts others, which are ended with it.
    spawnSync(
      'timeout',
      [
        ...['--signal=KILL', String(seconds), program],
        `-env:UserInstallation=file://${folder}/profile`,
        ...['--headless', '--norestore', '--convert-to', 'pdf', '--outdir', out],
        ...some.map(({ path }) => path),
      ],
      { stdio: 'ignore' },
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
