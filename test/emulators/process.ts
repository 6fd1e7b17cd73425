import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname } from 'node:path'

/** A port of 127.0.0.1 that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address() as { port: number }
      server.close(() => resolve(address.port))
    })
  })

/**
 * Runs a server in a group of processes of its own, in the folder of its log, until it listens; gives what ends the group.
 * Its output is logged.
 */
export async function serve(
  command: string,
  args: string[],
  port: number,
  log: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<() => Promise<void>> {
  const output = openSync(log, 'w')
  const child = spawn(command, args, { cwd: dirname(log), detached: true, stdio: ['ignore', output, output], env })
  closeSync(output)
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  await Promise.race([failed, listening(port, child, log)])
  return () => end(child)
}

async function listening(port: number, child: ChildProcess, log: string) {
  for (const from = Date.now(); Date.now() - from < 120_000; await new Promise(resolve => setTimeout(resolve, 100))) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}, see ${log}`)
    const socket = connect(port, '127.0.0.1')
    const up = await new Promise(resolve => socket.on('connect', () => resolve(true)).on('error', () => resolve(false)))
    socket.destroy()
    if (up) return
  }
  await end(child)
  throw new Error(`${child.spawnfile} does not listen, see ${log}`)
}

/** Ends the server and whatever it has started. */
async function end(child: ChildProcess) {
  const ended = new Promise(resolve => child.once('exit', resolve))
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(-child.pid!, signal)
    } catch {
      return // Nobody of the group is left.
    }
    await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 5000))])
  }
}
