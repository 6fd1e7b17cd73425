import { markdown } from '../../../shared/engine/formats/markdown/index.ts'
import { plain } from '../../../shared/engine/formats/plain/index.ts'
import { formatSuite } from './suite.ts'

const utf8 = (texts: string[]) => Buffer.from(`${texts.join('\n')}\n`)
const show = (bytes: Uint8Array) => Buffer.from(bytes).toString().split('\n')

formatSuite(plain, { name: 'note.txt', make: utf8, show, untouched: 'bytes' })
formatSuite(markdown, { name: 'note.md', make: texts => utf8(['# Title', ...texts]), show, untouched: 'bytes' })
