import type { Format } from '../format.ts'
import { isEmf, isWmf } from './heads.ts'

const shared = { type: 'DOCUMENT', propagates: true, keepsText: true } as const

const buffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Packed ones look like any packed file: their name tells. */
const isPacked = (head: Buffer, name: string, ending: RegExp) =>
  head[0] === 0x1f && head[1] === 0x8b && ending.test(name)

/** Whether a file that looks packed is a metafile. */
export const isPackedMetafile = (head: Uint8Array, name: string): boolean => isPacked(buffer(head), name, /\.[ew]mz$/i)

/** Enhanced metafiles, in which Windows and Office keep drawings. */
export const emf: Format = {
  ...shared,
  id: 'emf',
  mediaType: 'image/emf',
  extensions: ['emf', 'emz'],
  matches: (head, name) => Number(isEmf(buffer(head)) || isPacked(buffer(head), name, /\.emz$/i)),
  open: async (input, context) => (await import('./read.ts')).openMetafile('emf', input, context),
  verify: async (output, expected, context) =>
    (await import('./verify.ts')).verifyMetafile('emf', output, expected, context),
}

/** Windows metafiles, their predecessors. */
export const wmf: Format = {
  ...shared,
  id: 'wmf',
  mediaType: 'image/wmf',
  extensions: ['wmf', 'wmz'],
  matches: (head, name) => Number(isWmf(buffer(head)) || isPacked(buffer(head), name, /\.wmz$/i)),
  open: async (input, context) => (await import('./read.ts')).openMetafile('wmf', input, context),
  verify: async (output, expected, context) =>
    (await import('./verify.ts')).verifyMetafile('wmf', output, expected, context),
}
