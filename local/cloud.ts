import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Access, Faults } from 'aws-emulators'
import { type Endpoints, type Exchanges, startEmulators } from 'aws-emulators'
import { keepWasmCode } from '../shared/wasm-code.ts'
import { createAdministrator, type Login } from './administrator.ts'
import { makeFolder } from './folders.ts'
import { type Journal, openJournal } from './function-log.ts'
import { startGateway } from './gateway/server.ts'
import { authorizer, policiesOf } from './iam.ts'
import { lockFolder } from './lock.ts'
import { provision } from './provision.ts'
import { pollSources } from './runner/event-source-poller.ts'
import { directTransport } from './runner/exchanges.ts'
import { type Functions, functionNames, largestPayload, prepareFunctions } from './runner/functions.ts'
import type { Outcome } from './runner/pool.ts'
import { runSchedules } from './runner/schedules.ts'
import { type Assembly, assemble } from './synth.ts'
import { type Physical, refuseUnknownTypes, type Template } from './template.ts'

/** The local cloud itself: the one caller that no role binds. Anything on this machine may use it too. */
export const operator = { accessKeyId: 'local', secretAccessKey: 'local' }

export type LocalCloudOptions = {
  /** Where everything is kept; made if missing. */
  directory: string
  /** Port of the API on 127.0.0.1; 0, the default, takes a free one. */
  port?: number
  /** Names besides those of the loopback that clients may call it by. */
  hosts?: readonly string[]
  /** Settings of every function, such as `RATE_LIMIT_PER_ADDRESS`. */
  environment?: Record<string, string>
  /** What goes wrong with requests to DynamoDB, S3, SQS, KMS and EventBridge; callers are functions by their names, or `local`. */
  faults?: Faults
  /** How far the clock of a sandbox is out, milliseconds; asked for each one that is started. */
  clockSkew?: () => number
  /** Learns of every request that a function makes to those, with the function's name, before it is acted on. */
  onAccess?: (functionName: string, access: Access) => void
  /** Seconds after which a message comes back whose function has failed; when absent, as late as the template says. */
  redeliverySeconds?: number
  /** Whether jobs give way to requests where both wait for a processor. */
  requestsFirst?: boolean
  /** The administrator to create where there is none; made up as far as absent. */
  administrator?: Partial<Login>
  /** Learns what takes long, and what goes wrong inside of the local cloud. */
  report?: (message: string) => void
}

/** A running local cloud. */
export type LocalCloud = {
  /** `http://127.0.0.1:PORT`, the base URL of the interface. */
  baseUrl: string
  /** `{baseUrl}/api` */
  apiUrl: string
  /** Where DynamoDB, S3, SQS, KMS and EventBridge listen; the credentials are `local` and `local`. */
  endpoints: Endpoints
  /** The administrator, when this start created one. */
  administrator: Login | undefined
  /** Path of the log that functions write to. */
  logFile: string
  /** Runs a function, given by its name such as `pipeline-sweeper`, with an event. */
  invoke(functionName: string, event: unknown): Promise<Outcome>
  /** Fails whatever runs of a function at once, as a crash or its time-out would. */
  crash(functionName: string, timedOut?: boolean): void
  /** Ends cleanly: what runs may finish for some seconds, and messages go back to their queues. */
  close(): Promise<void>
}

/** How long what runs may go on when the local cloud is closed, milliseconds. */
const grace = 5000

/** Starts the whole service on this machine: the synthesised stack, on emulators that keep everything in a folder. */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  // The functions run in threads, and a thread's own environment is none that the inference runtime looks at.
  process.env.ORT_DISABLE_TELEMETRY = '1'
  keepWasmCode()
  const closing: (() => unknown)[] = []
  const close = async () => {
    const failed: unknown[] = []
    for (const step of closing.splice(0).reverse()) await Promise.try(step).catch(error => failed.push(error))
    if (failed.length > 0) throw failed[0]
  }
  try {
    closing.push(lockFolder(options.directory))
    return await start(options, closing, close)
  } catch (error) {
    await close()
    throw error
  }
}

/** What the steps of a start hand on: what was asked for, what ends it again, and who learns of troubles. */
type Start = {
  options: LocalCloudOptions
  closing: (() => unknown)[]
  journal: Journal
  onError: (error: unknown) => void
}

async function start(
  options: LocalCloudOptions,
  closing: (() => unknown)[],
  close: () => Promise<void>,
): Promise<LocalCloud> {
  const assembly = await assemble(options.report)
  const { template } = assembly
  refuseUnknownTypes(template)
  const journal = openJournal(options.directory)
  const onError = (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    journal.write('cloud', text)
    options.report?.(text)
  }
  const begun: Start = { options, closing, journal, onError }
  const { endpoints, exchanges, physical, faultsBegin } = await startStores(begun, template)
  const functions = startFunctions(begun, { ...assembly, physical, endpoints, exchanges })
  // Who is quick enough to call at once waits for the administrator to be there.
  const ready = Promise.withResolvers<void>()
  const gateway = await startGateway({
    template,
    port: options.port ?? 0,
    hosts: options.hosts,
    largestEvent: largestPayload,
    invoke: async (id, event) => {
      await ready.promise
      return functions.invoke(id, event)
    },
    onError,
  })
  closing.push(() => gateway.close(grace))

  const invoke = async (functionName: string, event: unknown) => {
    const id = functions.find(functionName)
    if (!id) throw new Error(`There is no function ${functionName}`)
    return functions.invoke(id, event)
  }
  const administrator = await createAdministrator(invoke, options.administrator)
  ready.resolve()
  faultsBegin()
  const baseUrl = `http://127.0.0.1:${gateway.port}`
  const apiUrl = `${baseUrl}/api`
  const { crash } = functions
  return { baseUrl, apiUrl, endpoints, administrator, logFile: journal.path, invoke, crash, close }
}

/** Starts the emulators, which let each function do what its role allows, and creates in them what the template holds. */
async function startStores({ options, closing, onError }: Start, template: Template) {
  let running = false
  let policies: ReturnType<typeof policiesOf> = new Map()
  const authorize = authorizer(
    () => policies,
    operator.accessKeyId,
    ({ accessKeyId, service, action, resource }) =>
      onError(`the role of ${accessKeyId} does not allow ${service}:${action} on ${resource}`),
  )
  const names = functionNames(template)
  const { endpoints, exchanges } = await startEmulators(options.directory, closing, {
    credentials: id => (id === operator.accessKeyId || names.has(id) ? operator.secretAccessKey : undefined),
    authorize(access) {
      const name = names.get(access.accessKeyId)
      if (name) options.onAccess?.(name, access)
      return authorize(access)
    },
    // The keys are no secret and the buckets allow any origin: nothing else keeps out pages from elsewhere.
    pages: options.hosts ?? [],
    // What is created at the start is no test's business.
    faults: (service, action, request, caller) =>
      running ? options.faults?.(service, action, request, names.get(caller) ?? caller) : undefined,
  })
  const physical = await provision(template, endpoints, operator)
  policies = policiesOf(template, physical)
  const faultsBegin = () => {
    running = true
  }
  return { endpoints, exchanges, physical, faultsBegin }
}

/** An empty folder for what functions keep while they work, assets in clear among it. What a killed local cloud left goes. */
function temporaryFolder(path: string, closing: Start['closing']): string {
  const empty = () => rmSync(path, { recursive: true, force: true })
  empty()
  closing.push(empty)
  makeFolder(path, 0o700)
  return path
}

/** Prepares the functions, and starts them when messages come and at their times. */
function startFunctions(
  { options, closing, journal, onError }: Start,
  {
    endpoints,
    ...deployed
  }: Assembly & { physical: ReadonlyMap<string, Physical>; endpoints: Endpoints; exchanges: Exchanges },
): Functions {
  const credentials = (id: string) => ({ accessKeyId: id, secretAccessKey: operator.secretAccessKey })
  const { template, physical } = deployed
  const temporary = temporaryFolder(join(options.directory, 'tmp'), closing)
  const functions = prepareFunctions({
    ...deployed,
    credentials,
    environment: {
      // Whatever else AWS has is out of reach: nothing may leave this machine.
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
      AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
      AWS_ENDPOINT_URL_S3: endpoints.s3,
      AWS_ENDPOINT_URL_SQS: endpoints.sqs,
      AWS_ENDPOINT_URL_KMS: endpoints.kms,
      AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.events,
      LOCAL_ASSET_ROOT: join(options.directory, 'files'),
      TMPDIR: temporary,
      ...options.environment,
    },
    clockSkew: options.clockSkew,
    requestsFirst: options.requestsFirst,
    log: journal.write,
  })
  closing.push(functions.close)
  const { redeliverySeconds } = options
  const pollers = pollSources({
    template,
    physical,
    functions,
    endpoint: endpoints.sqs,
    transport: directTransport(deployed.exchanges),
    credentials,
    redeliverySeconds,
    onError,
  })
  closing.push(() => Promise.all(pollers.map(poller => poller.stop(grace))))
  closing.push(runSchedules(template, physical, functions, onError))
  return functions
}
