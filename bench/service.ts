import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A running service; `cpu` is the processor time that its processes have taken, ms. */
export type Service = { baseUrl: string; cpu(): number; stop(): Promise<void> }

/** Group of a process and the processor time that it has taken, ms; undefined once it has ended. */
function processOf(name: string): { group: number; cpu: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return { group: Number(fields[2]), cpu: (Number(fields[11]) + Number(fields[12])) * 10 }
  } catch {
    return undefined
  }
}

/** Processor time that the processes of a group have taken, ms; not a number where the system does not tell. */
function cpuOf(wanted: number): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN
  const own = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(processOf)
    .filter(found => found?.group === wanted)
  return own.reduce((sum, found) => sum + found!.cpu, 0)
}

/** Starts the service as a person does, without limits of rates, and answers its address once it says that it is ready. */
export async function startService(directory: string, environment: Record<string, string> = {}): Promise<Service> {
  const child = spawn('npm', ['start'], {
    env: {
      ...process.env,
      PORT: '0',
      LOCAL_DATA_DIR: directory,
      RATE_LIMIT_PER_USER: '100000000',
      RATE_LIMIT_PER_ADDRESS: '100000000',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const group = child.pid!
  const ended = new Promise(resolve => child.once('close', resolve))
  const kill = () => {
    if (child.exitCode === null) process.kill(-group, 'SIGTERM')
  }
  // Also where what measures it fails or is ended.
  process.once('exit', kill)
  process.once('SIGINT', () => process.exit(130))
  const stop = async () => {
    process.off('exit', kill)
    kill()
    await ended
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const baseUrl = /Base URL\s+(\S+)/.exec(line)?.[1]
    if (baseUrl) return { baseUrl, cpu: () => cpuOf(group), stop }
  }
  throw new Error('The service did not start')
}
