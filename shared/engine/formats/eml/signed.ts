/** One element of ASN.1 (BER): its tag, and where its content begins and ends. */
type Element = { tag: number; start: number; end: number; next: number }

/** The element at `at`; undefined where there is none. An indefinite length ends with the zeros that close it. */
function elementAt(bytes: Buffer, at: number, limit: number, depth = 0): Element | undefined {
  const tag = bytes[at]
  const size = bytes[at + 1]
  if (tag === undefined || size === undefined || at + 2 > limit || depth > 16) return undefined
  if (size === 0x80) {
    let end = at + 2
    while (end + 2 <= limit && !(bytes[end] === 0 && bytes[end + 1] === 0)) {
      const inner = elementAt(bytes, end, limit, depth + 1)
      if (!inner) return undefined
      end = inner.next
    }
    return { tag, start: at + 2, end, next: end + 2 }
  }
  const digits = size > 0x80 ? size & 0x7f : 0
  if (digits > 6 || at + 2 + digits > limit) return undefined
  const start = at + 2 + digits
  const length = digits > 0 ? bytes.readUIntBE(at + 2, digits) : size
  return start + length > limit ? undefined : { tag, start, end: start + length, next: start + length }
}

function* childrenOf(bytes: Buffer, { start, end }: Element): Generator<Element> {
  for (let at = start; at < end; ) {
    const element = elementAt(bytes, at, end)
    if (!element) return
    yield element
    at = element.next
  }
}

const octets = 0x04
const isConstructed = (tag: number) => (tag & 0x20) !== 0

function octetsOf(bytes: Buffer, element: Element): Buffer {
  if (!isConstructed(element.tag)) return bytes.subarray(element.start, element.end)
  return Buffer.concat([...childrenOf(bytes, element)].map(part => octetsOf(bytes, part)))
}

const signedData = Buffer.from('2a864886f70d010702', 'hex')

/** Whether a message of S/MIME (CMS) says that it is signed, which anybody can read, and not that it is encrypted. */
export function isSigned(bytes: Buffer): boolean {
  const outer = elementAt(bytes, 0, bytes.length)
  const [kind] = outer ? childrenOf(bytes, outer) : []
  return kind !== undefined && bytes.subarray(kind.start, kind.end).equals(signedData)
}

/** The content of such a message; undefined where it has none (certificates alone). */
export function signedContent(bytes: Buffer): Buffer | undefined {
  const outer = elementAt(bytes, 0, bytes.length)
  const [, explicit] = outer ? childrenOf(bytes, outer) : []
  const [signed] = explicit ? childrenOf(bytes, explicit) : []
  // Version, algorithms, content, certificates, signers.
  const [, , content] = signed ? childrenOf(bytes, signed) : []
  const [, wrapped] = content ? childrenOf(bytes, content) : []
  const [data] = wrapped ? childrenOf(bytes, wrapped) : []
  return data && (data.tag & 0x1f) === octets ? octetsOf(bytes, data) : undefined
}
