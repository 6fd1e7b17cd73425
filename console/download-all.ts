import { makeZip } from 'client-zip'
import type { Job } from '../shared/api/job.ts'
import type { AssetResult } from '../shared/api/results.ts'
import { CallError, call } from './api.ts'
import { saveBlob } from './ui/save.ts'
import { safeName, uniqueName } from './zip-names.ts'

/** Most bytes of outputs that are held here, where the browser doesn't let a page write a file bit by bit. */
const MOST_HELD = 500_000_000
/** Larger files are passed on as they come; smaller ones are held, so that one that breaks off can be fetched again. */
const HELD_AT_ONCE = 50_000_000
/** How often a call is repeated that the service has no time for, and after how long, milliseconds. */
const patience = { attempts: 24, pause: 5000 }
/** How often a file is fetched that did not come whole. */
const ATTEMPTS = 3
/** Between downloads that begin one after the other, milliseconds. */
const APART_MS = 700
/** Assets of one answer. */
const PAGE = 1000

/** What came of it: how many files were saved, which ones could not be fetched, and whether they came one by one. */
export type Downloaded = { saved: number; missing: string[]; isSeparate: boolean }

/**
 * Saves all outputs of a job as one ZIP file, written bit by bit where the browser can. Where it can't and they are too
 * large to be held, it begins their downloads one after the other. Answers nothing where the person chose no place.
 */
export async function downloadAll(job: Job, tell: (done: number) => void): Promise<Downloaded | undefined> {
  const downloaded: Downloaded = { saved: 0, missing: [], isSeparate: false }
  const note = () => tell(++downloaded.saved)
  const name = `${safeName(job.name)}.zip`
  const target = await chooseFile(name)
  if (target === 'none') return undefined
  if (!target && job.result!.counts.bytesOut > MOST_HELD) return oneByOne(job, downloaded, note)
  const zip = makeZip(entriesOf(job, downloaded.missing, note))
  if (target) await zip.pipeTo(await target.createWritable())
  else saveBlob(name, await new Response(zip, { headers: { 'Content-Type': 'application/zip' } }).blob())
  return downloaded
}

type Choose = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>

/** The file that the person chose; `none` if they chose none, nothing where the browser can't ask. */
async function chooseFile(suggestedName: string): Promise<FileSystemFileHandle | 'none' | undefined> {
  const { showSaveFilePicker } = globalThis as { showSaveFilePicker?: Choose }
  try {
    return await showSaveFilePicker?.({ suggestedName })
  } catch (error) {
    return (error as Error).name === 'AbortError' ? 'none' : undefined
  }
}

async function* entriesOf(job: Job, missing: string[], note: () => void) {
  const taken = new Set<string>()
  const lastModified = new Date(job.finishedAt!)
  for await (const { name, outputAssetId } of outputsOf(job)) {
    const input = await fetchWhole(outputAssetId)
    if (!input) missing.push(name)
    else {
      yield { name: uniqueName(name, taken), input, lastModified }
      note()
    }
  }
}

async function oneByOne(job: Job, downloaded: Downloaded, note: () => void): Promise<Downloaded> {
  for await (const { name, outputAssetId } of outputsOf(job)) {
    try {
      const { url } = await addressOf(outputAssetId)
      location.assign(url)
      note()
    } catch {
      downloaded.missing.push(name)
    }
    await later(APART_MS)
  }
  return { ...downloaded, isSeparate: true }
}

type Output = AssetResult & { outputAssetId: string }

/** Every output of a job: those that it shows, and those that are asked for one by one. */
async function* outputsOf(job: Job): AsyncGenerator<Output> {
  const shown = new Map(job.result!.assets.map(result => [result.assetId, result]))
  for (let skip = 0; ; skip += PAGE) {
    const assets = await patiently(() => call('jobs', 'assets', { job_id: job.id, body: { skip, limit: PAGE } }))
    for (const { id } of assets) {
      const result = shown.get(id) ?? (await patiently(() => call('assets', 'report', { asset_id: id })))
      if (result.outputAssetId) yield result as Output
    }
    if (assets.length < PAGE) return
  }
}

const addressOf = (asset_id: string) => patiently(() => call('assets', 'url', { asset_id }))

/** The bytes of an asset, or nothing if they can't be had. */
async function fetchWhole(asset_id: string): Promise<Blob | ReadableStream<Uint8Array> | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      const { url, size } = await addressOf(asset_id)
      const response = await fetch(url, { referrerPolicy: 'no-referrer' })
      if (response.ok && size > HELD_AT_ONCE) return response.body!
      const content = await response.blob()
      if (response.ok && content.size === size) return content
    } catch {
      // The next attempt may go well.
    }
  }
  return undefined
}

/** Calls again while the service has no time. */
async function patiently<T>(operation: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation()
    } catch (error) {
      const isBusy = error instanceof CallError && (error.status === 429 || error.status === 503)
      if (!isBusy || attempt === patience.attempts) throw error
      await later(patience.pause)
    }
  }
}

const later = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))
