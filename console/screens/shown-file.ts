import type { AssetPage } from '../../shared/api/assets.ts'
import type { CallError } from '../api.ts'
import { call } from '../api.ts'
import { asCallError } from '../ui/load.ts'
import { placeOf } from './findings.tsx'

/** Largest text that is shown as it is written, bytes; of a larger one its parts are shown. */
const WHOLE_BYTES = 200_000

/** What is shown of a file at once: texts, the picture of a page, or that there is none any more. */
export type Shown = {
  text?: string
  picture?: NonNullable<AssetPage['picture']>
  /** Why nothing is shown: the file is gone, it has no such page, or the service can't show it. */
  lacks?: 'gone' | 'page' | { error: CallError }
  pages: number | null
  more: boolean
}

/** Whether files like this one are shown as they are written. */
export const isWritten = ({ contentType, size }: { contentType: string; size: number | null }): boolean =>
  /^text\/|json|xml|csv|markdown|yaml/.test(contentType) &&
  !contentType.includes('officedocument') &&
  (size ?? Number.POSITIVE_INFINITY) <= WHOLE_BYTES

/** A page, from 1, of the file of an asset; or all of a file as it is written. Throws where the service doesn't answer. */
export async function showFile(asset_id: string, page: number, written: boolean): Promise<Shown> {
  try {
    return written ? await showWritten(asset_id) : await showPage(asset_id, page)
  } catch (reason) {
    const error = asCallError(reason)
    const nothing = { pages: null, more: false }
    if (error.has('asset_gone') || error.has('not_found')) return { ...nothing, lacks: 'gone' }
    if (error.has('page_unknown')) return { ...nothing, lacks: 'page' }
    if (error.has('cannot_show')) return { ...nothing, lacks: { error } }
    throw error
  }
}

async function showWritten(asset_id: string): Promise<Shown> {
  const { url } = await call('assets', 'url', { asset_id })
  const response = await fetch(url, { referrerPolicy: 'no-referrer' })
  const one = { pages: 1, more: false }
  return response.ok ? { ...one, text: await response.text() } : { ...one, lacks: 'gone' }
}

async function showPage(asset_id: string, page: number): Promise<Shown> {
  const { pages, more, picture, texts } = await call('assets', 'page', { asset_id, query: { page } })
  return picture ? { pages, more, picture } : { pages, more, text: written(texts) }
}

/** Texts as lines: cells of a row on one, and before each page, slide or sheet where it is. */
function written(texts: AssetPage['texts']): string {
  const lines: string[] = []
  let [last, sheet, row] = ['', '', undefined as number | undefined]
  for (const { place, text } of texts) {
    const { kind, page, part } = place
    const where = page === undefined ? '' : placeOf({ kind, page })
    if (where !== sheet) lines.push(`— ${where} —`)
    const isSameRow = place.row !== undefined && place.row === row && where === sheet && (part ?? '') === last
    if (isSameRow) lines.push(`${lines.pop()} | ${text}`)
    else lines.push(text)
    ;[last, sheet, row] = [part ?? '', where, place.row]
  }
  return lines.join('\n')
}
