import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A processor that the inference runtime knows: it reads what it can do from this file, and crashes on that of an x64 one. */
const neoverse = [
  'Features\t: fp asimd aes pmull sha1 sha2 crc32 atomics asimdrdm asimddp',
  'CPU implementer\t: 0x41',
  'CPU architecture: 8',
  'CPU variant\t: 0x3',
  'CPU part\t: 0xd0c',
  'CPU revision\t: 1',
]

/** Fills a folder with what qemu-aarch64 is to find at `/`: Debian's libraries for arm64, and a processor. */
export function fillRoot(folder: string): void {
  symlinkSync('/usr/aarch64-linux-gnu/lib', join(folder, 'lib'))
  mkdirSync(join(folder, 'proc'))
  const processors = [0, 1].map(n => [`processor\t: ${n}`, ...neoverse, '', ''].join('\n'))
  writeFileSync(join(folder, 'proc/cpuinfo'), processors.join(''))
}
