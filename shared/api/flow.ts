import { ApiError, type Client, type FileToSend } from './client.ts'
import type { Job } from './job.ts'

/** What is common to the steps below. */
export type FlowOptions = {
  signal?: AbortSignal
  /** Stands in for the global `fetch` where files are sent and fetched. */
  fetch?: typeof fetch
}

/** How a job is named, and what is looked for: exactly one of a workflow and a preset. */
export type NewJob = { name: string; description?: string; workflowId?: string; presetId?: string }

/** Called whenever the state of a job was asked for: how much of it is done. */
export type Progress = (done: Awaited<ReturnType<Client['jobs']['status']>>['progress']) => void

/** An output on its way: `body` is to be read or cancelled. */
export type Download = {
  name: string
  contentType: string
  size: number
  body: ReadableStream<Uint8Array<ArrayBuffer>>
}

/** What the files of one request have together at most, bytes. */
const MOST_TOGETHER = 4_000_000
/** How long to wait before the state is asked for again, milliseconds: at first, and in the end. */
const poll = { least: 200, most: 5000 }
/** How often something is tried that may go well the next time. */
const attempts = { reading: 20, sending: 3 }

/** Waits until a job is no longer in progress. Waits as long as the service asks (429, 503, `Retry-After`). */
export async function wait(
  client: Client,
  job_id: string,
  { signal, progress }: FlowOptions & { progress?: Progress } = {},
): Promise<Job> {
  for (let pause = poll.least; ; pause = Math.min(poll.most, pause * 1.5)) {
    const told = await patiently(() => client.jobs.status({ job_id, signal }), signal)
    progress?.(told.progress)
    if (told.status !== 'IN_PROGRESS') return patiently(() => client.jobs.get({ job_id, signal }), signal)
    await sleep(pause, signal)
  }
}

/** Fetches an asset: an output, or a file as it was sent. */
export async function download(client: Client, asset_id: string, options: FlowOptions = {}): Promise<Download> {
  const { signal } = options
  const { url, name, contentType, size } = await patiently(() => client.assets.url({ asset_id, signal }), signal)
  const reply = await (options.fetch ?? fetch)(url, { signal })
  if (reply.ok && reply.body) return { name, contentType, size, body: reply.body }
  await reply.body?.cancel()
  throw new ApiError(reply.status, reply.headers, [])
}

/** Makes a job of files of any size, each of which goes straight to the store. Leaves no job where one could not be sent. */
export async function uploadLarge(
  client: Client,
  { workflowId, ...job }: NewJob,
  files: readonly FileToSend[],
  options: FlowOptions = {},
): Promise<Job> {
  const given = files.map(contentOf)
  const announced = given.map(({ name, content }) => ({
    ...{ filename: name, size: content.size },
    ...(content.type && { contentType: content.type }),
  }))
  const { id: job_id, Assets } = await client.jobs.uploads({ body: { ...job, files: announced } })
  return orErase(client, job_id, async () => {
    for (const [n, { content }] of given.entries()) await sendAsset(Assets[n]!.upload!, content, options)
    const sent = await client.jobs.completeUploads({ job_id })
    return workflowId === undefined ? sent : client.jobs.update({ job_id, body: { workflowId } })
  })
}

/** Makes a job of files: by one request if they are small, and as {@link uploadLarge} does otherwise. */
export async function upload(
  client: Client,
  job: NewJob,
  files: readonly FileToSend[],
  options: FlowOptions = {},
): Promise<Job> {
  const bytes = files.reduce((sum, file) => sum + contentOf(file).content.size, 0)
  if (bytes > MOST_TOGETHER) return uploadLarge(client, job, files, options)
  const { workflowId, ...body } = job
  const made = await client.jobs.upload({ body, files })
  if (workflowId === undefined) return made
  return orErase(client, made.id, () => client.jobs.update({ job_id: made.id, body: { workflowId } }))
}

/**
 * Anonymises files: uploads them, attaches what is to be looked for, executes the job and waits for its end. Whether all
 * went well is said by its `status`; `result.assets` tells of each file, and `download` fetches its `outputAssetId`. Where it
 * is stopped or fails no job is left.
 */
export async function anonymise(
  client: Client,
  job: NewJob,
  files: readonly FileToSend[],
  options: FlowOptions & { progress?: Progress } = {},
): Promise<Job> {
  const { id: job_id } = await upload(client, job, files, options)
  return orErase(client, job_id, async () => {
    options.signal?.throwIfAborted()
    await client.jobs.execute({ job_id })
    return wait(client, job_id, options)
  })
}

/** Erases a job with its files, wherever it stands; one that is gone already is fine. */
export async function erase(client: Client, job_id: string): Promise<void> {
  const unlessGone = (error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
  try {
    await client.jobs.delete({ job_id })
  } catch (error) {
    if (!(error instanceof ApiError && error.has('job_in_progress'))) return unlessGone(error)
    await client.jobs.cancel({ job_id })
    await client.jobs.delete({ job_id }).catch(unlessGone)
  }
}

/** Does something with a job, which goes if that fails: the caller does not know it yet. */
async function orErase<T>(client: Client, job_id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await erase(client, job_id).catch(() => {})
    throw error
  }
}

/** The content of a file without a copy of it, and its name. */
function contentOf(file: FileToSend): { name: string; content: Blob } {
  if (file instanceof Blob) return { name: (file as Partial<File>).name ?? 'blob', content: file }
  const { name, content, contentType: type } = file
  return { name, content: content instanceof Blob ? content : new Blob([content], { type }) }
}

type Ticket = NonNullable<Job['Assets'][number]['upload']>

async function sendAsset(ticket: Ticket, content: Blob, options: FlowOptions): Promise<void> {
  if (ticket.method === 'PUT') return send(ticket.url, content, ticket.headers, options)
  for (const { n, url } of ticket.parts)
    await send(url, content.slice((n - 1) * ticket.partSize, n * ticket.partSize), {}, options)
}

/** Sends bytes to the store, again where it failed or the connection broke. */
async function send(url: string, body: Blob, headers: Record<string, string>, options: FlowOptions): Promise<void> {
  const { signal } = options
  for (let turn = 1; ; turn++) {
    const last = turn === attempts.sending
    const reply = await (options.fetch ?? fetch)(url, { method: 'PUT', body, headers, signal }).catch(error => {
      if (last || signal?.aborted) throw error
    })
    await reply?.body?.cancel()
    // An answer that was lost: the bytes are there already.
    if (reply?.ok || (reply?.status === 412 && turn > 1)) return
    if (reply && (last || reply.status < 500)) throw new ApiError(reply.status, reply.headers, [])
    await sleep(poll.least * 2 ** turn, signal)
  }
}

/** Reads something, again after as long as the service asks for. */
async function patiently<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await read()
    } catch (error) {
      const asks = error instanceof ApiError && (error.status === 429 || error.status === 503)
      if (!asks || turn === attempts.reading) throw error
      const seconds = Number(error.headers.get('Retry-After'))
      await sleep(seconds > 0 ? seconds * 1000 : poll.most, signal)
    }
  }
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
