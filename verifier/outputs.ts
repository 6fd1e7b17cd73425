import { Refusal } from './bytes.ts'

/** A file that is shown with a certificate. */
export type ShownFile = {
  name: string
  size: number
  /** SHA-256 of the bytes from `start` up to, not including, `end`; hexadecimal. */
  digest(start: number, end: number): Promise<string>
}

/** An output as a certificate names it. */
export type Output = { name: string; size: number; sha256?: string; parts?: [size: number, sha256: string][] }

/** What is wrong with a file or an output: a stable code, and the reason in words. */
export type Problem = { code: string; reason: string }

/** Whether a file holds what an output in parts does. */
async function hasParts(file: ShownFile, { name, size, parts = [] }: Output): Promise<boolean> {
  if (parts.reduce((sum, [bytes]) => sum + bytes, 0) !== size)
    throw new Refusal('malformed', `The certificate does not say what ${name} holds`)
  if (file.size !== size) return false
  let at = 0
  for (const [bytes, digest] of parts) {
    if ((await file.digest(at, at + bytes)) !== digest) return false
    at += bytes
  }
  return true
}

/** What finds the outputs that a file has the content of. */
function createIndex(outputs: readonly Output[]) {
  const content = (size: number, digest: string) => `${size} ${digest}`
  const whole = new Map<string, Output[]>()
  const cut = outputs.filter(({ sha256 }) => sha256 === undefined)
  for (const output of outputs) {
    if (output.sha256 === undefined) continue
    const key = content(output.size, output.sha256)
    whole.set(key, [...(whole.get(key) ?? []), output])
  }
  return async (file: ShownFile): Promise<Output[]> => {
    const found = [...(whole.get(content(file.size, await file.digest(0, file.size))) ?? [])]
    for (const output of cut) if (await hasParts(file, output)) found.push(output)
    return found
  }
}

/**
 * Compares files with outputs, by what they hold: a file may have another name. Every file must be an output, and, where `all`
 * are shown, every output must be there.
 */
export async function compareFiles(
  files: readonly ShownFile[],
  outputs: readonly Output[],
  all: boolean,
): Promise<Problem[]> {
  const problems: Problem[] = []
  const seen = new Set<Output>()
  const outputsIn = createIndex(outputs)
  for (const file of files) {
    const found = await outputsIn(file)
    for (const output of found) seen.add(output)
    if (found.length > 0) continue
    const named = outputs.find(({ name }) => name === file.name)
    problems.push(
      named
        ? { code: 'changed', reason: `${file.name} is not as it was when the job ended` }
        : { code: 'unknown', reason: `${file.name} is no output of this job` },
    )
  }
  for (const output of all ? outputs : []) {
    if (!seen.has(output)) problems.push({ code: 'missing', reason: `${output.name} is an output and was not shown` })
  }
  return problems
}
