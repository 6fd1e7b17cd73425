import { markdown } from '../../../shared/engine/formats/markdown/index.ts'
import { plain } from '../../../shared/engine/formats/plain/index.ts'
import { formatSuite } from './suite.ts'

const utf8 = (texts: string[]) => Buffer.from(`${texts.join('\n')}\n`)

formatSuite(plain, { name: 'note.txt', make: utf8, untouched: 'bytes' })
formatSuite(markdown, { name: 'note.md', make: texts => utf8(['# Title', ...texts]), untouched: 'bytes' })
