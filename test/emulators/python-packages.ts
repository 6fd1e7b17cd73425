import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const python = process.env.PYTHON ?? 'python3'

/**
 * Installs what a file of requirements names into a Python environment, which needs no pip of its own. uv takes a fifth of
 * pip's processor time; where $PYTHON has none, or gets nothing from the index, pip does it. Throws where that fails too.
 */
export async function installPackages(environment: string, requirements: string): Promise<void> {
  const into = ['--python', join(environment, 'bin/python')]
  const wanted = ['--quiet', '-r', requirements]
  const timeout = 900_000
  try {
    await run(python, ['-m', 'uv', 'pip', 'install', ...into, '--no-cache', ...wanted], { timeout })
  } catch {
    const quietly = ['--no-input', '--disable-pip-version-check']
    await run(python, ['-m', 'pip', ...into, 'install', ...quietly, ...wanted], { timeout })
  }
}
