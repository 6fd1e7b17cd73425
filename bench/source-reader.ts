// The part of `sources.ts` that runs in a process of its own, bundled as the service is: reads an entry to its end.
import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { egressPolicy } from '../shared/sources/addresses.ts'
import { defaultLimits } from '../shared/sources/connector.ts'
import { guardedDial } from '../shared/sources/egress.ts'
import { openFromSource, openParts, type Source } from '../shared/sources/sources.ts'
import { peakMegabytes } from './peak.ts'

/** What a read took: seconds of time and of processor, lines of a table, megabytes of memory at the peak. */
export type Measure = { seconds: number; cpu: number; bytes: number; lines: number; rss: number; digest?: string }

async function read({ source, name, parts }: { source: Source; name: string; parts: number }): Promise<Measure> {
  const started = performance.now()
  const opened =
    parts > 1 ? await openParts(source, context, name, parts) : [await openFromSource(source, context, name)]
  let bytes = 0
  let lines = 0
  const digest = createHash('sha256')
  const isTable = opened[0]!.columns !== undefined
  await Promise.all(
    opened.map(async ({ body }) => {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (isTable) for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
        else digest.update(chunk)
      }
    }),
  )
  const { user, system } = process.cpuUsage()
  return {
    seconds: (performance.now() - started) / 1000,
    cpu: (user + system) / 1e6,
    bytes,
    lines,
    rss: peakMegabytes(),
    ...(isTable ? {} : { digest: digest.digest('hex') }),
  }
}

const context = {
  dial: guardedDial(egressPolicy('127.0.0.0/8')),
  signal: new AbortController().signal,
  limits: defaultLimits,
}
read(JSON.parse(process.argv[2]!)).then(measure => console.log(JSON.stringify(measure)))
