/** Instructions of WebAssembly, one after the other. */
export type Code = readonly (number | Code)[]

/** A whole number in the variable length that the format has for those with a sign. */
function number(value: number): number[] {
  const bytes: number[] = []
  for (let left = value; ; left >>= 7) {
    const last = left >= -64 && left < 64
    bytes.push((left & 127) | (last ? 0 : 128))
    if (last) return bytes
  }
}

/** The same without a sign. */
const size = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...size(value >>> 7)])

const flat = (code: Code): number[] => code.flatMap(part => (typeof part === 'number' ? part : flat(part)))
const counted = (code: Code): number[] => [...size(flat(code).length), ...flat(code)]
const text = (name: string): number[] => counted([...Buffer.from(name)])

/** Bytes that a vector holds. */
export const lane = 16

export const i32 = 0x7f
export const v128 = 0x7b
export const add = 0x6a
export const subtract = 0x6b
export const multiply = 0x6c
export const and = 0x71
export const or = 0x72
export const xor = 0x73
export const shiftLeft = 0x74
export const shiftRight = 0x76
export const equals = 0x46
export const isZero = 0x45
export const isBelow = 0x49
/** With their signs. */
export const isAbove = 0x4a
export const isAtLeast = 0x4f
export const leadingZeros = 0x67
export const trailingZeros = 0x68
export const end = 0x0b
export const leave = 0x0f
/** Where nothing comes by: the code before has left. */
export const unreachable = 0x00
export const call = (index: number): Code => [0x10, size(index)]
export const otherwise = 0x05
export const loop: Code = [0x03, 0x40]
export const block: Code = [0x02, 0x40]
export const whenSet: Code = [0x04, 0x40]
/** To the beginning of a loop or the end of a block, so many others around it. */
export const goTo = (depth: number): Code => [0x0c, depth]
export const goWhenSet = (depth: number): Code => [0x0d, depth]
export const again = goWhenSet(0)
export const get = (local: number): Code => [0x20, local]
export const set = (local: number): Code => [0x21, local]
export const tee = (local: number): Code => [0x22, local]
export const constant = (value: number): Code => [0x41, number(value)]
export const loadByte = (offset: number): Code => [0x2d, 0, size(offset)]
export const storeByte = (offset: number): Code => [0x3a, 0, size(offset)]
export const load = (offset: number): Code => [0x28, 2, size(offset)]
export const store = (offset: number): Code => [0x36, 2, size(offset)]
export const vector = (operation: number, ...more: Code): Code => [0xfd, size(operation), more]
export const loadVector = (offset: number) => vector(0, 0, size(offset))
export const storeVector = (offset: number) => vector(11, 0, size(offset))
export const vectorOf = (bytes: readonly number[]) => vector(12, ...bytes)
export const splat = (byte: number) => vectorOf(new Array<number>(lane).fill(byte))
/** Bytes of one vector by the numbers in another. */
export const pick = vector(14)
export const bothVectors = vector(78)
export const anySet = vector(83)
export const notEqual = vector(36)
/** Of each byte, by a whole number. */
export const shiftBytesRight = vector(109)
export const spread = vector(15)
export const sameBytes = vector(35)
export const eitherVector = vector(80)
export const topBits = vector(100)

/** A function of whole numbers; its body begins with its locals. Those without a name are called by others only. */
export type WasmFunction = { name?: string; parameters: number; answers: boolean; body: Code }

/** The part of WebAssembly that is used; the types of Node.js only have its name. */
type Loader = {
  Module: new (code: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

function moduleOf(pages: number, functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const section = (id: number, entries: readonly Code[]): Code => [id, counted([size(entries.length), entries])]
  const exported = (name: string, kind: number, index: number): Code => [text(name), kind, size(index)]
  const typeOf = ({ parameters, answers }: WasmFunction): Code => [
    [0x60, parameters, new Array<number>(parameters).fill(i32)],
    answers ? [1, i32] : [0],
  ]
  return Uint8Array.from(
    flat([
      [...Buffer.from('\0asm'), 1, 0, 0, 0],
      section(1, functions.map(typeOf)),
      section(
        3,
        functions.map((_, index) => size(index)),
      ),
      section(5, [[0, size(pages)]]),
      section(7, [
        exported('memory', 2, 0),
        ...functions.flatMap(({ name }, index) => (name === undefined ? [] : [exported(name, 0, index)])),
      ]),
      section(
        10,
        functions.map(({ body }) => counted(body)),
      ),
    ]),
  )
}

/** Makes functions ready that share a memory of so many pages of 64 KiB: the same on each architecture, with no compiler. */
export function assemble<Functions>(pages: number, functions: readonly WasmFunction[]) {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: Loader }).WebAssembly
  const { exports } = new Instance(new Module(moduleOf(pages, functions)))
  const { memory, ...callable } = exports as Functions & { memory: { buffer: ArrayBuffer } }
  return { ...(callable as Functions), memory: Buffer.from(memory.buffer) }
}
