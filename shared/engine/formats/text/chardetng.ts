import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Loads WebAssembly at once, for which the types of Node.js have no name. */
type WasmLoader = {
  Module: new (code: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: unknown }
}

/** What the build of `chardetng` for WebAssembly has, which is the detector of Firefox. */
type Chardetng = {
  memory: { buffer: ArrayBuffer }
  encodingdetector_new(): number
  /** Takes the bytes over, which are freed then. */
  encodingdetector_feed(detector: number, bytes: number, length: number, isLast: number): number
  /** Writes address and length of the name to `result`. No top level domain is told by `0, 0`. */
  encodingdetector_guess(result: number, detector: number, domain: number, length: number, utf8: number): void
  __wbg_encodingdetector_free(detector: number): void
  __wbindgen_add_to_stack_pointer(bytes: number): number
  __wbindgen_malloc(bytes: number): number
  __wbindgen_free(address: number, bytes: number): void
}

const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WasmLoader }
let loaded: Chardetng | undefined

function chardetng(): Chardetng {
  if (!loaded) {
    const path = createRequire(import.meta.url).resolve('chardetng-wasm/dist/chardetng_wasm_bg.wasm')
    const panic = () => {
      // What is left of it must not answer another file.
      loaded = undefined
      throw new Error('The detector of encodings has failed')
    }
    const imports = { './chardetng_wasm_bg.js': { __wbindgen_throw: panic } }
    loaded = new wasm.Instance(new wasm.Module(readFileSync(path)), imports).exports as Chardetng
  }
  return loaded
}

/**
 * The encoding that a text which is not UTF-8 is most likely in, by the name the Encoding Standard has for it. The text may end
 * within a character.
 */
export function guessEncoding(text: Uint8Array): string {
  const detector = chardetng()
  const made = detector.encodingdetector_new()
  const address = detector.__wbindgen_malloc(text.length)
  new Uint8Array(detector.memory.buffer).set(text, address)
  detector.encodingdetector_feed(made, address, text.length, 0)
  const result = detector.__wbindgen_add_to_stack_pointer(-16)
  detector.encodingdetector_guess(result, made, 0, 0, 0)
  const [name, length] = new Int32Array(detector.memory.buffer, result, 2) as unknown as [number, number]
  const guess = Buffer.from(detector.memory.buffer, name, length).toString('latin1')
  detector.__wbindgen_add_to_stack_pointer(16)
  detector.__wbindgen_free(name, length)
  detector.__wbg_encodingdetector_free(made)
  return guess
}
