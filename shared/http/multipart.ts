import { Busboy } from '@fastify/busboy'
import { MAX_FILES } from '../api/bounds.ts'
import { ProblemError } from '../api/problems.ts'
import type { UploadedFile } from './request.ts'
import { cut, cutToEnd } from './truncate.ts'

/** Other fields and their size: names and descriptions only. */
const MAX_FIELDS = 20
const MAX_FIELD_BYTES = 16_384

/** A parsed multipart form: the text fields, and the files in the order they were sent. */
export type Form = { fields: Record<string, string>; files: UploadedFile[] }

/** Parses a multipart body. Refuses what is not one, is cut short, or repeats a field (422). */
export function parseMultipart(contentType: string, body: Buffer): Promise<Form> {
  return new Promise((resolve, reject) => {
    const refuse = (msg: string, loc = ['body']) => reject(new ProblemError({ type: 'multipart_invalid', msg, loc }))
    const fields: Record<string, string> = Object.create(null)
    const files: UploadedFile[] = []
    let parser: InstanceType<typeof Busboy>
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { files: MAX_FILES, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, parts: MAX_FILES + MAX_FIELDS },
        // Whole names arrive, paths included; what may stay of them is decided below.
        preservePath: true,
      })
    } catch {
      refuse('The body is not a multipart form with a boundary')
      return
    }
    parser.on('file', (field, stream, filename, _encoding, mimeType) => {
      if (filename.includes('\ufffd')) refuse('The name of a file is not UTF-8', ['body', 'files'])
      const contentType = /^[\x20-\x7e]{1,200}$/.test(mimeType) ? mimeType : 'application/octet-stream'
      const file = { name: fileName(filename), contentType, chunks: [] as Buffer[] }
      const index = files.push({ ...file, bytes: Buffer.alloc(0) }) - 1
      if (field !== 'files') refuse(`Files come in parts named files, not ${cut(field, 50)}`)
      stream.on('data', (chunk: Buffer) => file.chunks.push(chunk))
      stream.on('end', () => {
        files[index] = { name: file.name, contentType, bytes: Buffer.concat(file.chunks) }
      })
      stream.on('error', () => refuse('A part of the form cannot be read'))
    })
    parser.on('field', (name, value, _nameCut, valueCut) => {
      if (name in fields) refuse(`The field comes twice`, ['body', cut(name, 50)])
      else if (valueCut) refuse(`The field is too long`, ['body', cut(name, 50)])
      else if (name.includes('\ufffd') || value.includes('\ufffd'))
        refuse('The field is not UTF-8', ['body', cut(name, 50)])
      else fields[name] = value
    })
    parser.on('filesLimit', () =>
      reject(new ProblemError({ type: 'too_big', msg: `Must be at most ${MAX_FILES} files`, loc: ['body', 'files'] })),
    )
    parser.on('fieldsLimit', () => refuse('The form has too many fields'))
    parser.on('partsLimit', () => refuse('The form has too many parts'))
    parser.on('error', () => refuse('The form is damaged or cut short'))
    parser.on('finish', () => resolve({ fields, files }))
    parser.end(body)
  })
}

/**
 * The last part of a path in either notation, without control characters: a name to show and to download under,
 * never a place to write to.
 */
export function fileName(name: string): string {
  const last = name
    .split(/[/\\]/)
    .at(-1)!
    .replace(/\p{Cc}/gu, '')
    .trim()
  return last === '' || last === '.' || last === '..' ? 'unnamed' : cutToEnd(last, 255)
}
