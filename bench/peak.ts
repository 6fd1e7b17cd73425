import { readFileSync } from 'node:fs'

/**
 * Most memory that this process ever held, megabytes (2^20 bytes). Linux counts what the parent held when it started the
 * process among `maxRSS`, so there its own figure is read instead.
 */
export function peakMegabytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
}
