import { peakMegabytes } from './peak.ts'

/** What the command took, as this process tells it at its end: CPU time in seconds, and the most memory that it held. */
export type Figures = { cpu: number; megabytes: number }

process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  console.log(JSON.stringify({ cpu: (user + system) / 1e6, megabytes: peakMegabytes() } satisfies Figures))
})
await import('../local/anonymise.ts')
