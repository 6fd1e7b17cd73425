import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { init, type Methods } from '@embedpdf/pdfium'
import { EngineError } from '../../errors.ts'

type Heap = {
  HEAPU8: Uint8Array
  wasmExports: { malloc(size: number): number; free(pointer: number): void; [name: string]: unknown }
}

/** PDFium in memory of its own: a trap or a leak of one document can't reach another. */
export type Pdfium = Methods & { pdfium: Heap }

type WasmLoader = {
  compile(bytes: Uint8Array): Promise<unknown>
  instantiate(module: unknown, imports: unknown): Promise<unknown>
}

// The type library of the browser, which declares it, is not part of this project.
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WasmLoader }

let compiled: Promise<unknown> | undefined

const compile = async (): Promise<unknown> =>
  wasm.compile(await readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')))

/** Functions of numbers only that are called without the library's wrappers; those that answer yes or no answer 1 or 0. */
const direct = [
  'FPDFText_GetUnicode',
  'FPDFText_IsGenerated',
  'FPDFText_GetTextObject',
  'FPDFText_GetCharOrigin',
  'FPDFText_GetLooseCharBox',
  'FPDFText_GetCharAngle',
  'FPDFText_GetFontSize',
  'FPDFText_GetMatrix',
  'FPDFText_CountChars',
  'FPDFTextObj_GetFont',
  'FPDFTextObj_GetTextRenderMode',
  'FPDFFont_GetBaseFontName',
  'FPDFFont_GetGlyphPath',
  'FPDFGlyphPath_CountGlyphSegments',
  'FPDFGlyphPath_GetGlyphPathSegment',
  'FPDFPath_CountSegments',
  'FPDFPath_GetDrawMode',
  'FPDFPath_GetPathSegment',
  'FPDFPathSegment_GetPoint',
  'FPDFPathSegment_GetType',
  'FPDFPage_GetObject',
  'FPDFPageObj_GetBounds',
  'FPDFPageObj_GetFillColor',
  'FPDFPageObj_GetType',
  'FPDFFormObj_GetObject',
] as const

/** Memory that one PDFium may take, bytes: enough for a scan of 70 million pixels in JPEG 2000. */
const maxMemory = 384 * 1024 * 1024

type Imports = { env: { emscripten_resize_heap: (size: number) => number } }

/** What PDFium is given, with a bound on its memory: it would end without a reason where there is none left. */
const bounded = (imports: Imports): Imports => {
  const grow = imports.env.emscripten_resize_heap
  const growWithin = (size: number): number => {
    if (size >>> 0 > maxMemory)
      throw new EngineError('limit_exceeded', 'The document needs more memory than its reader may take')
    return grow(size)
  }
  return { ...imports, env: { ...imports.env, emscripten_resize_heap: growWithin } }
}

/** Starts a fresh PDFium; the code is compiled once per process. */
export const startPdfium = async (): Promise<Pdfium> => {
  compiled ??= compile()
  const module = await compiled
  const hooks = {
    instantiateWasm: (imports: Imports, done: (instance: unknown, module: unknown) => void) => {
      wasm.instantiate(module, bounded(imports)).then(instance => done(instance, module))
      return {}
    },
    print: () => {},
    printErr: () => {},
  }
  const pdfium = (await init(hooks as unknown as Parameters<typeof init>[0])) as unknown as Pdfium
  // Called for every character: past the wrappers, which check and convert what needs neither.
  const { wasmExports } = pdfium.pdfium
  for (const name of direct) Object.assign(pdfium, { [name]: wasmExports[name] })
  pdfium.PDFiumExt_Init()
  return pdfium
}

/** Memory of PDFium for the time of `use`, `size` bytes. */
export const borrow = <T>(pdfium: Pdfium, size: number, use: (pointer: number) => T): T => {
  const pointer = pdfium.pdfium.wasmExports.malloc(Math.max(size, 1))
  if (pointer === 0) throw new RangeError('out of memory')
  try {
    return use(pointer)
  } finally {
    pdfium.pdfium.wasmExports.free(pointer)
  }
}

/** A view of PDFium's memory; growing memory invalidates it, so never keep one. */
export const memory = (pdfium: Pdfium, pointer: number, size: number): DataView => {
  const heap = pdfium.pdfium.HEAPU8
  return new DataView(heap.buffer, heap.byteOffset + pointer, size)
}

/** The document as a file that PDFium writes anew, without encryption. */
export const saveDocument = (pdfium: Pdfium, document: number): Uint8Array => {
  const writer = pdfium.PDFiumExt_OpenFileWriter()
  try {
    if (!pdfium.PDFiumExt_SaveAsCopy(document, writer)) throw new Error('the reader could not save the document')
    const size = pdfium.PDFiumExt_GetFileWriterSize(writer)
    return borrow(pdfium, size, pointer => {
      pdfium.PDFiumExt_GetFileWriterData(writer, pointer, size)
      return pdfium.pdfium.HEAPU8.slice(pointer, pointer + size)
    })
  } finally {
    pdfium.PDFiumExt_CloseFileWriter(writer)
  }
}
