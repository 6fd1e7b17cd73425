import { delimiter, dirname } from 'node:path'

/** An emulator of AWS that runs on 127.0.0.1. */
export type AwsEmulator = {
  endpoint: string
  /** The environment in which whatever uses AWS uses the emulator instead. */
  environment: NodeJS.ProcessEnv
  log: string
  stop(): Promise<void>
}

/** This environment with the programs of a folder and an access key, and without what leads to a real account. */
export function withoutAccount(bin: string, key: string): NodeJS.ProcessEnv {
  const { AWS_PROFILE, AWS_ENDPOINT_URL, AWS_SESSION_TOKEN, ...inherited } = process.env
  return {
    ...inherited,
    PATH: [dirname(process.execPath), bin, process.env.PATH].join(delimiter),
    AWS_ACCESS_KEY_ID: key,
    AWS_SECRET_ACCESS_KEY: key,
  }
}

/** What sends clients of AWS to an endpoint, and to no other. */
export const clientsOf = (endpoint: string): NodeJS.ProcessEnv => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: 'eu-central-1',
  AWS_DEFAULT_REGION: 'eu-central-1',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
})
