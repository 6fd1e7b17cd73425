import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Output } from '../format.ts'

/** An archive being written, entry after entry. */
export type ZipWriter = {
  add(name: string, content: Uint8Array | AsyncIterable<Uint8Array>, options?: { store?: boolean }): Promise<void>
  /** Writes the directory; nothing more can be added. */
  end(): Promise<void>
}

/** A ZIP writer without time stamps, comments or other traces of when and where it ran. */
export function zipWriter(output: Output): ZipWriter {
  const zip = new ZipFile()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  zip.on('error', failed.reject)
  const written = drain(zip.outputStream as unknown as AsyncIterable<Uint8Array>, output)
  written.catch(failed.reject)
  return {
    async add(name, content, { store = false } = {}) {
      const options = { mtime: new Date(1980, 0, 1), mode: 0o100644, compress: !store, forceDosTimestamp: true }
      if (content instanceof Uint8Array) {
        zip.addBuffer(Buffer.from(content.buffer, content.byteOffset, content.byteLength), name, options)
        return
      }
      const stream = Readable.from(content, { objectMode: false })
      const ended = Promise.withResolvers<void>()
      stream.once('end', ended.resolve).once('error', ended.reject)
      zip.addReadStream(stream, name, { ...options, compressionLevel: 3 })
      await Promise.race([ended.promise, failed.promise])
    },
    async end() {
      zip.end()
      await Promise.race([written, failed.promise])
    },
  }
}

async function drain(stream: AsyncIterable<Uint8Array>, output: Output): Promise<void> {
  for await (const chunk of stream) await output.write(chunk)
}
