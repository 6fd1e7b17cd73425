import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { AuditHead } from '../../shared/api/audit.ts'

/** Where the chains of the audit trail ended at some time, to be kept where nobody who runs the service can change it. */
const Anchor = z.strictObject({
  format: z.literal('anonymisation-service/audit-anchor/1'),
  at: z.iso.datetime(),
  publicKey: z.string(),
  unsignedBefore: z.string().optional(),
  heads: z.array(AuditHead),
})
export type Anchor = z.infer<typeof Anchor>

/** Reads an anchor; throws when the file is none. */
export async function readAnchor(path: string): Promise<Anchor> {
  try {
    return Anchor.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error
    throw new Error(`${path} is not an anchor of an audit trail`)
  }
}

/** Writes an anchor to a new file: an older one is never replaced. */
export async function writeAnchor(path: string, anchor: Omit<Anchor, 'format' | 'at'>): Promise<void> {
  const format = 'anonymisation-service/audit-anchor/1'
  const text = JSON.stringify({ format, at: new Date().toISOString(), ...anchor }, null, 2)
  await writeFile(path, `${text}\n`, { flag: 'wx' })
}

/** A key in PEM. */
export const keyFrom = (pem: string): KeyObject => createPublicKey(pem)

/** Whether two keys are the same one. */
export const sameKey = (a: string, b: string): boolean => keyFrom(a).equals(keyFrom(b))
