import type { Asset } from '../shared/api/assets.ts'
import { MAX_FILES } from '../shared/api/bounds.ts'
import type { Job } from '../shared/api/job.ts'
import { CallError, call } from './api.ts'

/** Files of so many bytes together, and not too many, fit into one request to the service; others go to the bucket themselves. */
const ONE_REQUEST_BYTES = 3_000_000
/** Files that are sent at a time. */
const AT_ONCE = 4

type Attached = {
  name: string
  mode: Job['mode']
  presetId?: string
  workflowId?: string
  /** How many persons must release the job; none when 0. */
  approvers: number
}

/** Makes a job of files, with a preset or a workflow and perhaps a review, and executes it. Tells the share of bytes that has been sent, 0 to 1. */
export async function anonymise(
  files: File[],
  { name, mode, presetId, workflowId, approvers }: Attached,
  tell: (share: number) => void,
) {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const attached = { mode, ...(presetId && { presetId }) }
  let job: Job
  if (total <= ONE_REQUEST_BYTES && files.length <= MAX_FILES) {
    job = await call('jobs', 'upload', { body: { name, description: '', ...attached }, files })
  } else {
    const announced = files.map(file => ({ filename: file.name, size: file.size }))
    job = await call('jobs', 'uploads', { body: { name, description: '', files: announced, ...attached } })
    await sendAll(files, job.Assets, sent => tell(sent / total)).catch(reason => giveUp(job.id, reason))
    await call('jobs', 'completeUploads', { job_id: job.id })
  }
  const changes = { ...(workflowId && { workflowId }), ...(approvers > 0 && { review: { approvers } }) }
  if (Object.keys(changes).length > 0) await call('jobs', 'update', { job_id: job.id, body: changes })
  await call('jobs', 'execute', { job_id: job.id })
  return job.id
}

/** Erases a job whose files did not come, as far as the service can be reached. */
async function giveUp(job_id: string, reason: unknown): Promise<never> {
  await call('jobs', 'delete', { job_id }).catch(() => undefined)
  throw reason
}

/** Sends each file where its asset says; assets stand in the order of the files that were announced. */
async function sendAll(files: File[], assets: Asset[], tell: (bytes: number) => void): Promise<void> {
  const sent = files.map(() => 0)
  let all = 0
  const note = (index: number, bytes: number) => {
    all += bytes - sent[index]!
    sent[index] = bytes
    tell(all)
  }
  const left = files.keys()
  const hand = async () => {
    for (const index of left) {
      await send(files[index]!, assets[index]!, bytes => note(index, bytes))
      note(index, files[index]!.size)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, hand))
}

async function send(file: File, { upload }: Asset, tell: (bytes: number) => void): Promise<void> {
  if (upload?.method === 'PUT') return put(upload.url, file, upload.headers, tell)
  for (const { n, url } of upload?.parts ?? []) {
    const start = (n - 1) * upload!.partSize
    await put(url, file.slice(start, start + upload!.partSize), {}, bytes => tell(start + bytes))
  }
}

/** One PUT with progress, which `fetch` does not have. */
function put(url: string, body: Blob, headers: Record<string, string>, tell: (bytes: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) {
      // The browser says the length itself.
      if (name.toLowerCase() !== 'content-length') request.setRequestHeader(name, value)
    }
    request.upload.onprogress = ({ loaded }) => tell(loaded)
    request.onload = () => (request.status < 300 ? resolve() : reject(new CallError(request.status, [])))
    request.onerror = () => reject(new CallError(0, []))
    request.send(body)
  })
}
