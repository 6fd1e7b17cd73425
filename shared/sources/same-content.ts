import type { Readable } from 'node:stream'

/** Whether two streams hold the same bytes. Both are destroyed as soon as they differ. */
export async function sameContent(one: Readable, other: Readable): Promise<boolean> {
  const [left, right] = [one[Symbol.asyncIterator](), other[Symbol.asyncIterator]()]
  let a = Buffer.alloc(0)
  let b = Buffer.alloc(0)
  try {
    for (;;) {
      const [more, rest] = await Promise.all([a.length ? undefined : left.next(), b.length ? undefined : right.next()])
      if (more && !more.done) a = Buffer.from(more.value)
      if (rest && !rest.done) b = Buffer.from(rest.value)
      if (more?.done || rest?.done) return Boolean(more?.done && rest?.done)
      const length = Math.min(a.length, b.length)
      if (!a.subarray(0, length).equals(b.subarray(0, length))) return false
      a = a.subarray(length)
      b = b.subarray(length)
    }
  } finally {
    one.destroy()
    other.destroy()
  }
}
