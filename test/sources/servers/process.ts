import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A server that was started for a test, on 127.0.0.1. */
export type Running = { port: number; stop(): Promise<void> }

/** First of the folders that has the program; undefined where it isn't installed. */
export function program(name: string, ...folders: string[]): string | undefined {
  const path = [...folders, ...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin']
  return path.map(folder => join(folder, name)).find(file => existsSync(file))
}

/** Whether a suite can run; says so where it can't. */
export function available(what: string, ...needed: (string | undefined | boolean)[]): boolean {
  const all = needed.every(Boolean)
  if (!all) console.warn(`SKIPPED: ${what}: the server is not installed here, or may not be started by this user`)
  return all
}

export const isRoot = process.getuid?.() === 0

/** A folder of the system's temporary ones that everybody may enter, and what removes it. */
export function scratch(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'sources-'))
  execFileSync('chmod', ['755', path])
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise(closed => server.close(closed))
  return port
}

/** User and group ids of an account of the system. */
export const account = (name: string): { uid: number; gid: number } => ({
  uid: Number(execFileSync('id', ['-u', name])),
  gid: Number(execFileSync('id', ['-g', name])),
})

/** Starts a server and waits until it accepts connections. */
export async function start(
  command: string,
  args: string[],
  port: number,
  options: { uid?: number; gid?: number; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Running> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const hear = (chunk: Buffer) => {
    said = (said + chunk).slice(-4000)
  }
  child.stdout!.on('data', hear)
  child.stderr!.on('data', hear)
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  for (let tried = 0; tried < 300; tried++) {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${said}`)
    if (await accepts(port)) return { port, stop: () => stop(child, end) }
    await delay(100)
  }
  child.kill('SIGKILL')
  throw new Error(`${command} does not listen on ${port}: ${said}`)
}

async function stop(child: ChildProcess, end: () => void) {
  process.off('exit', end)
  if (child.exitCode !== null) return
  const ended = new Promise(exit => child.once('exit', exit))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(timer)
}

const accepts = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
