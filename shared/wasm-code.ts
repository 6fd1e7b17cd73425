import { setFlagsFromString } from 'node:v8'

/**
 * Has V8 keep WebAssembly's code until its module goes, for all threads of the process. They share what it compiles for calls out of
 * WebAssembly, and V8 13.6 sometimes ends the process when it frees such code (`jit_page_->allocations_.erase(addr) == 1`).
 */
export const keepWasmCode = (): void => setFlagsFromString('--no-wasm-code-gc')
