import type { Fault } from 'aws-emulators'
import { talk } from '../http.ts'
import { type Person, type Reply, type Service, startService } from '../setup.ts'
import { startProviders, type Tenant } from '../test-provider.ts'
import { type Endpoints, startEndpoints } from './endpoints.ts'

/** A service, an ordinary user of it, and servers that sources point at: all that it takes to provoke every error. */
export type Stage = {
  service: Service
  user: Person
  /** A service that lets nobody register or start a job, and hardly anybody ask. */
  strict: Service
  servers: Endpoints
  /** The identity provider `acme` of the service. */
  provider: Tenant
  /** Goes wrong with whatever functions, or one of them, ask of a table, for as long as it is set. */
  disturb(fault: Disturbance): () => void
  send(method: string, path: string, body?: unknown, person?: Person): Promise<Reply>
  good(method: string, path: string, body?: unknown, person?: Person): Promise<{ id: string } & Record<string, unknown>>
  stop(): Promise<void>
}

type Disturbance = { table: string; caller?: string } & Fault

/** A request that is answered with the type that it is listed under. */
export type Provocation = (stage: Stage) => Promise<Reply>

/** Starts everything. */
export async function startStage(): Promise<Stage> {
  const disturbances = new Set<Disturbance>()
  const { tenants, stop } = await startProviders(['acme'])
  const acme = { name: 'acme', title: 'Acme', issuer: tenants.acme.issuer, clientId: 'service' }
  const signsOn = { domains: ['acme.example'], roles: [{ group: 'guarded', role: 'guarded' }] }
  const gone = { ...acme, ...signsOn, name: 'gone', issuer: 'http://127.0.0.1:9' }
  const service = await startService({
    environment: {
      WEBHOOK_HTTP: 'false',
      SECOND_FACTOR_ROLES: 'guarded',
      SECOND_FACTOR_FRESH_SECONDS: '1',
      IDENTITY_PROVIDERS: JSON.stringify([{ ...acme, ...signsOn, provision: 'create' }, gone]),
    },
    faults: (service, _, request, name) => {
      if (service !== 'dynamodb' || disturbances.size === 0) return undefined
      const text = JSON.stringify(request)
      return [...disturbances].find(({ table, caller = name }) => caller === name && text.includes(table))
    },
  })
  const strict = await startService({
    environment: { SELF_REGISTRATION: 'false', RATE_LIMIT_PER_ADDRESS: '5', RUNNING_JOBS_PER_USER: '0' },
  })
  const servers = await startEndpoints()
  const user = await service.person()
  return {
    service,
    strict,
    user,
    servers,
    provider: tenants.acme,
    disturb(fault) {
      disturbances.add(fault)
      return () => void disturbances.delete(fault)
    },
    ...talk(service, user),
    async stop() {
      await Promise.all([service.stop(), strict.stop(), servers.stop(), stop()])
    },
  }
}
