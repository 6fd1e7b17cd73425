import { resolve } from 'node:path'
import * as z from 'zod'
import { faultsIn } from '../infra/config.ts'
import { NewPassword } from '../shared/api/auth.ts'
import { EmailAddress } from '../shared/api/common.ts'
import { Settings, settingNames } from '../shared/settings.ts'
import { egressPolicy, mayConnect } from '../shared/sources/addresses.ts'
import { UserError } from './lock.ts'

/** What `npm start` alone reads from the environment, besides the settings of the service. */
export const LocalSettings = z.object({
  PORT: z
    .string()
    .default('3000')
    .refine(text => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a number from 0 to 65535')
    .transform(Number)
    .describe('Port of the API on 127.0.0.1'),
  LOCAL_HOSTS: z
    .string()
    .regex(/^[\w.-]+(, *[\w.-]+)*$/, 'must be names with commas between')
    .optional()
    .describe('Names other than `localhost` that clients may use for this machine, separated by commas'),
  LOCAL_DATA_DIR: z.string().default('.local').describe('Folder for all data'),
  LOCAL_LOG_DIR: z
    .string()
    .optional()
    .describe('Folder with a separate log for each start; otherwise one log among the data'),
  LOCAL_ADMIN_EMAIL: EmailAddress.optional().describe('Address of the administrator that the first start creates'),
  LOCAL_ADMIN_PASSWORD: NewPassword.optional().describe(
    'Password of that administrator; generated and printed once if not set',
  ),
})

/** What a start of the local cloud is told. */
export type LocalStart = {
  port: number
  hosts: string[]
  directory: string
  administrator: { email?: string; password?: string }
  /** The settings of the service that were given; the others have their defaults. */
  environment: Record<string, string>
  /** Whether sources may be on this machine. */
  reachesItself: boolean
}

/** Reads and checks the whole environment; throws an inconvenience that names every fault at once. */
export function readSettings(environment: NodeJS.ProcessEnv): LocalStart {
  // Of what only this start reads, nothing is the same as not given.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value || !/^LOCAL_/.test(name)),
  )
  const known = LocalSettings.safeParse(given)
  const service = Settings.safeParse(given)
  if (!known.success || !service.success) {
    const faults = [known, service].flatMap(({ error }) => (error ? faultsIn(error, given) : []))
    throw new UserError(['The service was not started:', ...faults].join('\n  '))
  }
  const { PORT, LOCAL_HOSTS, LOCAL_DATA_DIR, LOCAL_ADMIN_EMAIL, LOCAL_ADMIN_PASSWORD } = known.data
  const policy = egressPolicy(service.data.EGRESS_ALLOW)
  return {
    port: PORT,
    hosts: LOCAL_HOSTS?.toLowerCase().split(/, */) ?? [],
    directory: resolve(LOCAL_DATA_DIR),
    administrator: { email: LOCAL_ADMIN_EMAIL, password: LOCAL_ADMIN_PASSWORD },
    environment: Object.fromEntries(
      settingNames.flatMap(name => (given[name] === undefined ? [] : [[name, given[name]]])),
    ),
    reachesItself: ['127.0.0.1', '::1'].some(address => mayConnect(address, policy)),
  }
}
