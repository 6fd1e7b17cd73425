import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { init, type Methods } from '@embedpdf/pdfium'
import { EngineError } from '../../errors.ts'

type Heap = {
  HEAPU8: Uint8Array
  HEAPF32: Float32Array
  HEAPF64: Float64Array
  wasmExports: {
    malloc(size: number): number
    free(pointer: number): void
    emscripten_stack_get_current(): number
    [name: string]: unknown
  }
}

/**
 * PDFium in memory of its own: a trap or a leak of one document can't reach another. `scratch`: where 32 bytes of it are for
 * what one call answers, up to the next call.
 */
export type Pdfium = Methods & { pdfium: Heap; scratch: number }

type WasmLoader = {
  compile(bytes: Uint8Array): Promise<unknown>
  instantiate(module: unknown, imports: unknown): Promise<unknown>
}

// The type library of the browser, which declares it, is not part of this project.
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WasmLoader }

let compiled: Promise<unknown> | undefined

const compile = async (): Promise<unknown> =>
  wasm.compile(await readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')))

/**
 * Functions of numbers only that are called without the library's wrappers; those that answer yes or no answer 1 or 0. Written
 * out, as the runtime finds the properties of such an object at once, and searches one that is filled by a list of names.
 */
const direct = (exports: Heap['wasmExports']) => ({
  FPDFText_GetUnicode: exports.FPDFText_GetUnicode,
  FPDFText_IsGenerated: exports.FPDFText_IsGenerated,
  FPDFText_GetTextObject: exports.FPDFText_GetTextObject,
  FPDFText_GetCharOrigin: exports.FPDFText_GetCharOrigin,
  FPDFText_GetLooseCharBox: exports.FPDFText_GetLooseCharBox,
  FPDFText_GetCharAngle: exports.FPDFText_GetCharAngle,
  FPDFText_GetFontSize: exports.FPDFText_GetFontSize,
  FPDFText_GetMatrix: exports.FPDFText_GetMatrix,
  FPDFText_CountChars: exports.FPDFText_CountChars,
  FPDFTextObj_GetFont: exports.FPDFTextObj_GetFont,
  FPDFTextObj_GetTextRenderMode: exports.FPDFTextObj_GetTextRenderMode,
  FPDFFont_GetBaseFontName: exports.FPDFFont_GetBaseFontName,
  FPDFFont_GetGlyphPath: exports.FPDFFont_GetGlyphPath,
  FPDFGlyphPath_CountGlyphSegments: exports.FPDFGlyphPath_CountGlyphSegments,
  FPDFGlyphPath_GetGlyphPathSegment: exports.FPDFGlyphPath_GetGlyphPathSegment,
  FPDFPath_CountSegments: exports.FPDFPath_CountSegments,
  FPDFPath_GetDrawMode: exports.FPDFPath_GetDrawMode,
  FPDFPath_GetPathSegment: exports.FPDFPath_GetPathSegment,
  FPDFPathSegment_GetPoint: exports.FPDFPathSegment_GetPoint,
  FPDFPathSegment_GetType: exports.FPDFPathSegment_GetType,
  FPDFPage_GetObject: exports.FPDFPage_GetObject,
  FPDFPageObj_CountMarks: exports.FPDFPageObj_CountMarks,
  FPDFPageObj_GetBounds: exports.FPDFPageObj_GetBounds,
  FPDFPageObj_GetFillColor: exports.FPDFPageObj_GetFillColor,
  FPDFPageObj_GetMark: exports.FPDFPageObj_GetMark,
  FPDFPageObj_GetType: exports.FPDFPageObj_GetType,
  FPDFFormObj_GetObject: exports.FPDFFormObj_GetObject,
})

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

/** What a PDFium began with: its memory, as far as there was anything in it, and the top of its stack. */
type Beginning = { memory: Uint8Array; stack: number }

const beginnings = new WeakMap<Pdfium, Beginning>()

/** PDFiums that are as they began: what takes longest of starting one is done. */
const idle: Pdfium[] = []

/** How many are kept, of how much memory each: one reads a document, another its output. */
const kept = { most: 2, bytes: 32 * 1024 * 1024 }

/** A fresh PDFium, or one that is as it began; the code is compiled once per process. */
export const startPdfium = async (): Promise<Pdfium> => idle.pop() ?? (await startAnother())

const startAnother = async (): Promise<Pdfium> => {
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
  const library = (await init(hooks as unknown as Parameters<typeof init>[0])) as unknown as Pdfium
  library.PDFiumExt_Init()
  const { pdfium: heap } = library
  const { wasmExports } = heap
  // Called for every character: past the wrappers, which check and convert what needs neither.
  const own = { __proto__: library, ...direct(wasmExports), pdfium: heap, scratch: wasmExports.malloc(32) }
  const pdfium = own as unknown as Pdfium
  const memory = heap.HEAPU8
  beginnings.set(pdfium, { memory: memory.slice(0, usedOf(memory)), stack: wasmExports.emscripten_stack_get_current() })
  return pdfium
}

const blank = Buffer.alloc(64 * 1024)

/** How far there is anything in a memory. */
const usedOf = (memory: Uint8Array): number => {
  let end = memory.length
  while (end >= blank.length && blank.equals(memory.subarray(end - blank.length, end))) end -= blank.length
  return end
}

/**
 * Puts a PDFium whose document is closed back to how it began, all of its memory, for another document. One that grew large
 * or that an error left in the middle of something is not used again.
 */
export const endPdfium = (pdfium: Pdfium): void => {
  const { HEAPU8: memory, wasmExports } = pdfium.pdfium
  const first = beginnings.get(pdfium)
  if (!first || wasmExports.emscripten_stack_get_current() !== first.stack) return
  if (memory.length > kept.bytes || idle.length >= kept.most) return
  memory.set(first.memory)
  memory.fill(0, first.memory.length, usedOf(memory))
  idle.push(pdfium)
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

/** Four floats from an address on: the sides of a box, or two points. */
export const fourFloats = (pdfium: Pdfium, pointer: number): [number, number, number, number] => {
  const view = memory(pdfium, pointer, 16)
  return [view.getFloat32(0, true), view.getFloat32(4, true), view.getFloat32(8, true), view.getFloat32(12, true)]
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
