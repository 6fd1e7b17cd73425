import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** Where npm has installed packages for tests alone; see `.ci/run`. */
export const peers = process.env.NPM_PEERS

/** What the suite of conformance asks of any server. Its other scenarios call tools of a server that is made for it. */
export const scenarios = ['server-initialize', 'ping', 'tools-list']

/** Runs a scenario of the suite; gives its exit status and what it says. */
export async function runScenario(scenario: string, url: string): Promise<[status: number, said: string]> {
  const suite = join(peers!, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const child = spawn(process.execPath, [suite, 'server', '--url', url, '--scenario', scenario], { cwd: tmpdir() })
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return [status as number, out + err]
}
