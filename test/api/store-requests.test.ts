import { expect, test } from 'vitest'
import { type DeclaredEndpoint, endpoints } from '../../shared/api/index.ts'
import { deployed } from './deployed.ts'
import { bodies, make, type Parameter } from './requests.ts'
import { useOwnService } from './setup.ts'

/** Requests to the stores, by the function that made them. */
const asked = new Map<string, string[]>()

const service = deployed
  ? undefined
  : await useOwnService({
      faults: (store, action, _, caller) => {
        asked.set(caller, [...(asked.get(caller) ?? []), `${store} ${action}`])
        return undefined
      },
    })

/** Requests of a reading call: its caller, its count and one record. */
const MOST = 3

/** What reads more than one record, and those that sign or are recorded in the audit trail. */
const more: Record<string, number> = {
  'assets-get': 4,
  'assets-url': 7,
  'assets-page': 9,
  'assets-report': 5,
  'jobs-get': 4,
  'jobs-findings': 6,
  'jobs-certificate': 9,
  'jobs-review': 6,
  'jobs-proposals': 11,
  'jobs-page': 9,
  'jobs-decisions': 6,
  'reviews-list': 5,
  'users-list': 5,
  'roles-list': 4,
  'permissions-list': 5,
  'serviceAccounts-list': 4,
  'tokenKeys-list': 4,
}

const reads = endpoints.filter(({ method }) => method === 'GET')

if (service) {
  const running = service
  const { admin, send, files } = running
  const prepared = bodies(files)

  async function pathOf({ resource, operation, path, parameters }: DeclaredEndpoint): Promise<string> {
    const ready = (await prepared[`${resource}.${operation}`]?.(running, admin)) ?? {}
    let filled = path
    for (const name of parameters)
      filled = filled.replace(`{${name}}`, ready.path?.[name] ?? (await make(running, admin, name as Parameter)))
    return filled
  }

  test.each(reads)('$endpoint.route asks the stores no more than it needs', async declared => {
    const name = `${declared.resource}-${declared.operation}`
    const path = await pathOf(declared)
    const { token } = admin
    // What a sandbox asks for once, such as the keys of tokens, is not counted.
    await send('GET', path, { token })
    asked.delete(name)
    await send('GET', path, { token })
    const requests = asked.get(name) ?? []
    expect(requests.length).toBeGreaterThan(0)
    expect(requests.slice(more[name] ?? MOST), requests.join(', ')).toEqual([])
  })
} else test.skip('a reading call asks the stores no more than it needs', () => {})
