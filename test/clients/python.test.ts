import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { version } from '../../shared/api/version.ts'
import { useService } from '../api/setup.ts'

/** The interpreter that has what the client and its tests need; `PYTHON` names it. */
const python = process.env.PYTHON ?? 'python3'
const folder = join(import.meta.dirname, '../../clients/python')
const has = (...modules: string[]) => spawnSync(python, ['-c', `import ${modules.join(', ')}`]).status === 0
const run = promisify(execFile)

const service = await useService()

test.skipIf(!has('httpx', 'pytest', 'typing_extensions'))(
  'the Python client passes its tests',
  { timeout: 300_000 },
  async () => {
    const { user, password } = await service.person()
    const { serviceAccounts } = service.admin.client
    const permissions = ['workflows:read', 'jobs:read', 'jobs:write', 'jobs:execute', 'assets:read']
    const { id } = await serviceAccounts.create({ body: { name: 'Python', role: 'user', permissions } })
    const { key } = await serviceAccounts.createKey({ account_id: id })
    const env = {
      ...process.env,
      ANONYMISE_TEST_KEY: key,
      PYTHONPATH: join(folder, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      ANONYMISE_TEST_URL: service.baseUrl,
      ANONYMISE_EMAIL: user.email,
      ANONYMISE_PASSWORD: password,
    }
    const { stdout } = await run(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], {
      cwd: folder,
      env,
    })
    expect(stdout).toMatch(/^\d+ passed/m)
  },
)

test.skipIf(!has('mypy', 'httpx'))('the Python client is typed throughout', { timeout: 300_000 }, async () => {
  const { stdout } = await run(python, ['-m', 'mypy', '--cache-dir', '/dev/null', 'src', 'tests'], { cwd: folder })
  expect(stdout).toContain('Success')
})

test.skipIf(!has('ruff'))('the Python client is as its linter wants it', async () => {
  await run(python, ['-m', 'ruff', 'check', '--no-cache', 'src', 'tests'], { cwd: folder })
  await run(python, ['-m', 'ruff', 'format', '--no-cache', '--check', 'src', 'tests'], { cwd: folder })
})

test.skipIf(!has('hatchling', 'pip', 'httpx'))('the Python client installs as a package with its command', async () => {
  const target = mkdtempSync(join(tmpdir(), 'python-client-'))
  try {
    const install = ['-m', 'pip', 'install', '--quiet', '--no-build-isolation', '--no-deps', '--target', target, folder]
    await run(python, [...install, '--disable-pip-version-check'])
    const env = { ...process.env, PYTHONPATH: target }
    const { stdout } = await run(python, [join(target, 'bin/anonymise-remote'), '--help'], { env })
    expect(stdout).toContain('--url')
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
})

test('the Python client has the version of the service', () => {
  expect(readFileSync(join(folder, 'pyproject.toml'), 'utf8')).toContain(`version = "${version}"`)
})
