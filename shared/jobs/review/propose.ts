import { createReadStream } from 'node:fs'
import type { ProposedPage, ProposedText, ProposedValue } from 'anonymisation-engine'
import type { AssetRecord } from '../../store/assets.ts'
import { recordProposals, reviewKey, savePage, saveProposals } from '../../store/reviews.ts'

/** Characters of proposals that are sealed together: what one answer shows. */
const PART_CHARACTERS = 256 * 1024

/** Seals what is proposed for an asset, which is in a file on disk, and counts it. Again is fine. */
export async function storeProposals({ jobId, id }: AssetRecord, path: string): Promise<void> {
  const key = await reviewKey(jobId)
  let lines: string[] = []
  let held = 0
  let parts = 0
  let pages = 0
  const save = async () => {
    if (lines.length > 0) await saveProposals(jobId, id, parts++, lines, key)
    lines = []
    held = 0
  }
  let rest = ''
  for await (const piece of createReadStream(path, 'utf8')) {
    const [first, ...others] = (rest + piece).split('\n') as [string, ...string[]]
    rest = others.pop() ?? first
    const whole = others.length > 0 || rest !== first ? [first, ...others] : []
    for (const line of whole) {
      const proposed = JSON.parse(line) as ProposedPage | ProposedText | ProposedValue
      if ('picture' in proposed) {
        await savePage(jobId, id, proposed, key)
        pages++
        continue
      }
      lines.push(line)
      held += line.length
      if (held >= PART_CHARACTERS) await save()
    }
  }
  await save()
  await recordProposals(jobId, id, { parts, pages })
}
