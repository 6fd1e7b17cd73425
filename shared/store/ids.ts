import { createHash } from 'node:crypto'

/** An identifier that follows from what it names: the same parts give the same one, in every deployment. */
export const idFrom = (...parts: string[]): string =>
  createHash('sha256')
    .update(parts.join('\n'))
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
