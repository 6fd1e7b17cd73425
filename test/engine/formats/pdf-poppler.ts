import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = 'pdftoppm'

/** Whether poppler is installed, which draws pages without any code of the product. */
export const hasPoppler = spawnSync(program, ['-v']).error === undefined

type Grey = { width: number; height: number; pixels: Uint8Array }

const readPgm = (file: string): Grey => {
  const bytes = readFileSync(file)
  const [head, width, height] = /^P5\s+(\d+)\s+(\d+)\s+\d+\s/.exec(bytes.toString('latin1', 0, 64)) ?? []
  if (!head) throw new Error('poppler wrote no picture')
  return { width: Number(width), height: Number(height), pixels: bytes.subarray(head.length) }
}

/** The first pages of a PDF as poppler draws them, in grey; none where it can't. */
export const drawnByPoppler = (pdf: Uint8Array, dpi: number, most = 10_000): Grey[] => {
  const home = mkdtempSync(join(tmpdir(), 'poppler-'))
  try {
    writeFileSync(join(home, 'in.pdf'), pdf)
    spawnSync(program, ['-gray', '-r', String(dpi), '-l', String(most), 'in.pdf', 'page'], {
      cwd: home,
      timeout: 60_000,
    })
    const pages = readdirSync(home).filter(name => name.endsWith('.pgm'))
    return pages.sort().map(name => readPgm(join(home, name)))
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** Difference in brightness from which two pixels are not the same. */
const visible = 64

/** Share of the pixels of two pictures that differ; of pictures that differ in size by more than rounding, 1. */
export const differing = (a: Grey | undefined, b: Grey | undefined): number => {
  if (!a || !b || Math.abs(a.width - b.width) > 1 || Math.abs(a.height - b.height) > 1) return 1
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)]
  let count = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [before, after] = [a.pixels[y * a.width + x], b.pixels[y * b.width + x]] as [number, number]
      if (Math.abs(before - after) > visible) count++
    }
  return count / (width * height)
}
