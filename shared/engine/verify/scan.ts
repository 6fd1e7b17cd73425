import { hiddenForms, plainForms, unescaped } from './forms.ts'
import { buildSearch, type Pattern, type Search } from './search.ts'

/** Which of the values stand in the bytes, by their index. */
export type Found = {
  /** Those that stand there as they are, in UTF-8 or Latin-1. */
  plain: Set<number>
  /** Those that stand there in UTF-16, hexadecimal, base64 or with characters escaped. */
  hidden: Set<number>
}

/**
 * Looks for values in the bytes of a file or of one of its parts, given in order and in pieces of any size. What is
 * compressed must be given decompressed as well.
 */
export type ByteScan = {
  push(bytes: Uint8Array): void
  /** Begins another part: nothing is found across the border. */
  next(): void
  found(): Found
}

const escapes = ['%', '\\', '&', '='].map(character => character.charCodeAt(0))
const lineEnd = 0x0a

/** Starts a scan for `values`; those with fewer than four bytes in a form are not looked for in that form. */
export function byteScan(values: readonly string[]): ByteScan {
  const plainPatterns: Pattern[] = values.flatMap((text, value) => plainForms(text).map(bytes => ({ bytes, value })))
  const hiddenPatterns: Pattern[] = values.flatMap((text, value) => hiddenForms(text).map(bytes => ({ bytes, value })))
  const plain = buildSearch(plainPatterns)
  const hidden = buildSearch(hiddenPatterns)
  const found: Found = { plain: new Set(), hidden: new Set() }
  // An escaped character takes up to ten bytes (&#x1F600;), a line break inside of base64 two in 64.
  const overlap = Math.max(plain.longest * 10, hidden.longest * 2)
  let tail: Uint8Array = new Uint8Array()

  const note = (search: Search, bytes: Uint8Array, kind: Set<number>) =>
    search.run(bytes, value => {
      kind.add(value)
      return kind.size === values.length
    })

  return {
    push(bytes) {
      if (values.length === 0) return
      const piece = tail.length === 0 ? bytes : Buffer.concat([tail, bytes])
      note(plain, piece, found.plain)
      note(hidden, piece, found.hidden)
      if (escapes.some(code => piece.includes(code))) {
        const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
        const resolved = unescaped(text)
        if (resolved !== text) note(plain, Buffer.from(resolved, 'latin1'), found.hidden)
      }
      // Base64 and hexadecimal in mail and certificates are broken into lines.
      if (piece.includes(lineEnd))
        note(
          hidden,
          piece.filter(byte => byte !== lineEnd && byte !== 0x0d),
          found.hidden,
        )
      tail = Uint8Array.from(piece.subarray(Math.max(0, piece.length - overlap)))
    },
    next() {
      tail = new Uint8Array()
    },
    found: () => found,
  }
}
