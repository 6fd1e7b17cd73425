import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Exchanges } from 'aws-emulators'
import { arnOf, type Physical, region, resolve, resourcesOf, type Template } from '../template.ts'
import { createPool, type Outcome, type Pool, type PoolOptions } from './pool.ts'

/** Largest payload of an event or of an answer, bytes. */
export const largestPayload = 6 * 1024 * 1024

/** Memory from which a function computes for long, MiB, as those with a model or a page to draw do: Lambda gives them a whole processor. */
const COMPUTES = 1769

/** Time-out from which a function works on files for long, seconds. */
const LONG = 900

/**
 * Sandboxes for functions that mostly wait for the stores, which they do side by side: so few keep the processors busy. Each loads and
 * compiles the code that it runs by itself, so more of them make all of it slower; up to four times as many while calls take long.
 */
function waitingSandboxes(cores: number) {
  const size = Math.min(4, cores)
  return { size, most: 4 * size, atOnce: 16 }
}

/** A function of the template, ready to run. */
type Prepared = {
  name: string
  file: string
  exported: string
  memory: number
  timeout: number
  environment: Record<string, string>
  pool: Pool
}

/** Runs the functions of the template. */
export type Functions = {
  /** Runs one event through a function, given by its logical id. */
  invoke(id: string, event: unknown): Promise<Outcome>
  /** How many invocations at once a queue may start here, where so many are configured. */
  concurrency(wanted: number): number
  /** The logical id of a function by its name, such as `rules-create`. */
  find(name: string): string | undefined
  /** Ends what runs of a function, given by its name, as a crash or its time-out would. */
  crash(name: string, timedOut?: boolean): void
  close(): Promise<void>
}

export type FunctionOptions = {
  template: Template
  physical: ReadonlyMap<string, Physical>
  code: ReadonlyMap<string, string>
  /** Folder where Node.js keeps what it has compiled of the code. */
  compiled: string
  /** Environment of every function besides its own: endpoints of the emulators, and what a test changes. */
  environment: Record<string, string>
  /** Credentials of a function by its logical id. */
  credentials: (id: string) => { accessKeyId: string; secretAccessKey: string }
  /** How functions reach emulators without HTTP. */
  exchanges?: Exchanges
  /** How far the clock of a sandbox is out, milliseconds. */
  clockSkew?: () => number
  /** Whether what queues and schedules start gives way to what answers requests. */
  requestsFirst?: boolean
  /** Takes what functions write, with the name of the function. */
  log: (name: string, text: string) => void
}

/** What functions are called here, without the name of the stack, by their logical ids. */
export const functionNames = (template: Template): Map<string, string> =>
  new Map(
    resourcesOf(template, 'AWS::Lambda::Function').map(([id, { FunctionName }]) => [
      id,
      FunctionName.replace(/^Anonymisation-/, ''),
    ]),
  )

/**
 * Which pool a function runs in. Those that answer requests share sandboxes, those that compute for it others, and those that a queue or a
 * schedule starts others again, so that long work never stands before a request; what works on files has its own.
 */
function createPools(common: Omit<PoolOptions, 'size' | 'memory'>, cores: number, givesWay?: boolean) {
  const waiting = { ...common, ...waitingSandboxes(cores) }
  const answering = createPool({ ...waiting, memory: 1024 })
  const computing = createPool({ ...common, size: cores, most: 2 * cores, memory: COMPUTES })
  // As many as queues may start of a function at once.
  const planning = createPool({ ...waiting, size: cores, most: 2 * cores, memory: COMPUTES, givesWay })
  return (isBackground: boolean, { Timeout, MemorySize }: { Timeout: number; MemorySize: number }): Pool => {
    if (!isBackground) return MemorySize < COMPUTES ? answering : computing
    return Timeout < LONG ? planning : createPool({ ...common, size: cores, memory: MemorySize, givesWay })
  }
}

/** Prepares every function of the template. */
export function prepareFunctions(options: FunctionOptions): Functions {
  const { template, physical, code, compiled, log, clockSkew, exchanges, requestsFirst } = options
  const background = new Set(
    ['AWS::Lambda::EventSourceMapping', 'AWS::Scheduler::Schedule'].flatMap(type =>
      resourcesOf(template, type).map(([, properties]) => targetOf(properties)),
    ),
  )
  const cores = Math.max(2, availableParallelism())
  const poolOf = createPools({ exchanges, clockSkew, compiled }, cores, requestsFirst)
  const names = functionNames(template)
  const prepared = new Map<string, Prepared>()
  for (const [id, properties] of resourcesOf(template, 'AWS::Lambda::Function')) {
    const directory = code.get(properties.Code.S3Key)
    if (!directory) throw new Error(`The code of ${id} is missing`)
    const [module, exported] = properties.Handler.split('.')
    prepared.set(id, {
      name: properties.FunctionName,
      file: join(directory, module),
      exported,
      memory: properties.MemorySize,
      timeout: properties.Timeout * 1000,
      environment: {
        ...(resolve(properties.Environment?.Variables ?? {}, physical) as Record<string, string>),
        ...lambdaEnvironment(properties, options.credentials(id), directory),
        // For the threads that functions start.
        NODE_COMPILE_CACHE: compiled,
        ...options.environment,
      },
      pool: poolOf(background.has(id), properties),
    })
  }
  const byName = new Map([...names].map(([id, name]) => [name, id]))

  return {
    async invoke(id, event) {
      const { pool, timeout, name, memory, ...own } = prepared.get(id)!
      const task = {
        file: own.file,
        exported: own.exported,
        environment: own.environment,
        payload: JSON.stringify(event),
        context: {
          functionName: name,
          memoryLimitInMB: String(memory),
          awsRequestId: randomUUID(),
          invokedFunctionArn: arnOf('lambda', `function:${name}`),
        },
      }
      const outcome = await pool.run(task, timeout, text => log(names.get(id)!, text))
      if ('failure' in outcome) log(names.get(id)!, JSON.stringify(outcome.failure))
      if ('payload' in outcome && Buffer.byteLength(outcome.payload) > largestPayload) {
        const errorMessage = `Response payload size exceeded maximum allowed payload size (${largestPayload} bytes).`
        return { failure: { errorType: 'Function.ResponseSizeTooLarge', errorMessage, trace: [] } }
      }
      return outcome
    },
    concurrency: wanted => Math.min(wanted, cores),
    find: name => byName.get(name),
    crash(name, timedOut) {
      const found = prepared.get(byName.get(name) ?? '')
      found?.pool.crash(found.name, timedOut)
    },
    async close() {
      await Promise.all(new Set([...prepared.values()].map(({ pool }) => pool)).values().map(pool => pool.close()))
    },
  }
}

/** The logical id of the function that a mapping or a schedule starts. */
export function targetOf(properties: { FunctionName?: { Ref: string }; Target?: { Arn: { 'Fn::GetAtt': [string] } } }) {
  return properties.FunctionName?.Ref ?? properties.Target!.Arn['Fn::GetAtt'][0]
}

/** What Lambda itself puts into the environment. Nothing of the environment of the local cloud gets in. */
const lambdaEnvironment = (
  properties: { FunctionName: string; Handler: string; MemorySize: number },
  { accessKeyId, secretAccessKey }: { accessKeyId: string; secretAccessKey: string },
  directory: string,
): Record<string, string> => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: properties.FunctionName,
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  LAMBDA_TASK_ROOT: directory,
  _HANDLER: properties.Handler,
  // Profiles of the person who runs this must never be found.
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
})
