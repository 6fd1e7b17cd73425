import { once } from 'node:events'
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { SaxesParser } from 'saxes'
import yauzl from 'yauzl'
import { ZipFile } from 'yazl'

/** Replaces in one text whatever the rules find, expression by expression. */
export type Replace = (text: string) => string

/** CSV: lines, split at commas outside of quotes, joined again. */
export async function csvLoop(path: string, target: string, replace: Replace): Promise<void> {
  const output = createWriteStream(target)
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const cells = line.match(/(?:"(?:[^"]|"")*"?|[^,])*(?:,|$)/g) ?? []
    if (!output.write(`${cells.map(replace).join('')}\n`)) await once(output, 'drain')
  }
  await new Promise<void>(resolve => output.end(() => resolve()))
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A part of a package through `saxes`: every text replaced, every tag written again. */
async function* saxCopy(stream: AsyncIterable<Buffer>, replace: Replace): AsyncGenerator<Buffer> {
  let out = ''
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes, isSelfClosing }) => {
    out += `<${name}`
    for (const [key, value] of Object.entries(attributes))
      out += ` ${key}="${escaped(value).replaceAll('"', '&quot;')}"`
    out += isSelfClosing ? '/>' : '>'
  })
  parser.on('closetag', ({ name, isSelfClosing }) => {
    if (!isSelfClosing) out += `</${name}>`
  })
  parser.on('text', text => {
    out += escaped(replace(text))
  })
  for await (const piece of stream) {
    parser.write(piece.toString('utf8'))
    yield Buffer.from(out)
    out = ''
  }
  parser.close()
}

/** Workbooks: every XML part through a parser of XML, all of it packed again. */
export async function packageCopy(path: string, target: string, replace: Replace): Promise<void> {
  const file = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false })
  const zip = new ZipFile()
  const written = pipeline(zip.outputStream, createWriteStream(target))
  for await (const entry of file.eachEntry()) {
    const content = (await file.openReadStreamPromise(entry)) as AsyncIterable<Buffer>
    const stream = Readable.from(entry.fileName.endsWith('.xml') ? saxCopy(content, replace) : content)
    zip.addReadStream(stream, entry.fileName, { compressionLevel: 3 })
    await once(stream, 'end')
  }
  zip.end()
  await written
}

/** Parquet: all records read, all columns written, in memory. */
export async function parquetCopy(path: string, target: string, replace: Replace): Promise<void> {
  const records = await parquetReadObjects({ file: Uint8Array.from(readFileSync(path)).buffer })
  const columnData = Object.keys(records[0]!).map(name => ({
    name,
    data: records.map(record => (typeof record[name] === 'string' ? replace(record[name]) : record[name])),
  }))
  writeFileSync(target, Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 100_000 })))
}
