import { csv, tsv } from '../../../shared/engine/formats/csv/index.ts'
import { shownByCsv } from './shown.ts'
import { formatSuite } from './suite.ts'

formatSuite(csv, {
  name: 'table.csv',
  make: texts =>
    Buffer.from(`id,text\n${texts.map((text, row) => `${row},"${text.replaceAll('"', '""')}"\n`).join('')}`),
  show: bytes => shownByCsv(bytes, ','),
  untouched: 'bytes',
})
formatSuite(tsv, {
  name: 'table.tsv',
  make: texts => Buffer.from(`id\ttext\r\n${texts.map((text, row) => `${row}\t${text}\r\n`).join('')}`),
  show: bytes => shownByCsv(bytes, '\t'),
  untouched: 'bytes',
})
