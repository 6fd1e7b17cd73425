import { createHash } from 'node:crypto'
import type { Client, ConnectConfig, SFTPWrapper } from 'ssh2'
import type { SourceConfig } from '../../api/source-kinds.ts'
import type { SourceProblem } from '../../api/source-problems.ts'
import type { SourceContext } from '../connector.ts'
import { untilAborted } from '../egress.ts'
import { isOurs, SourceError, toSourceError } from '../errors.ts'

export type SftpConfig = Extract<SourceConfig<'FTP/SFTP'>, { protocol: 'sftp' }>

export type Session = {
  sftp: SFTPWrapper
  /** Fingerprint of the key that the server showed, as `ssh-keygen -l` prints it. */
  hostKey: string
  server: string
  /** Folder of the server that is the root of the source. */
  root: string
  close(): void
}

/** Status codes of the protocol (draft-ietf-secsh-filexfer-02, section 7). */
const statuses: Record<string, SourceProblem> = {
  2: 'source_not_found',
  3: 'source_permission_denied',
  6: 'source_connection_lost',
  7: 'source_connection_lost',
  8: 'source_unsupported',
}

const levels: Record<string, SourceProblem> = {
  'client-authentication': 'source_auth_failed',
  'client-timeout': 'source_timeout',
  'client-socket': 'source_connection_lost',
  handshake: 'source_failed',
  protocol: 'source_failed',
}

/** A failure of the driver as ours. */
export function sftpError(error: unknown): Error {
  if (isOurs(error)) return toSourceError(error)
  const { level, message = '' } = error as { level?: string; message?: string }
  if (level && Object.hasOwn(levels, level)) return new SourceError(levels[level]!, undefined, { remoteCode: level })
  if (/No response from server|Not connected|channel .*closed|Connection lost/i.test(message))
    return new SourceError('source_connection_lost')
  return toSourceError(error, statuses)
}

const fingerprint = (key: Buffer) => `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

/**
 * Connects and logs in over a connection of the guard. The key of the server must be one that the config names; only
 * with `trustNew` a config that names none takes the key that is shown, for the caller to pin.
 */
export async function openSftp(
  context: SourceContext,
  config: SftpConfig,
  { trustNew = false } = {},
): Promise<Session> {
  const { host, port = 22, username, password, private_key, passphrase, host_key_fingerprints, base_path = '' } = config
  if (!host_key_fingerprints && !trustNew) throw new SourceError('source_host_key_unknown')
  const { default: ssh2 } = await import('ssh2')
  const { signal, limits } = context
  const sock = await context.dial(host, port, signal)
  const client = new ssh2.Client()
  let hostKey = ''
  const close = () => {
    signal.removeEventListener('abort', close)
    client.destroy()
    sock.destroy()
  }
  signal.addEventListener('abort', close, { once: true })
  const connect: ConnectConfig = {
    sock,
    username,
    password,
    privateKey: private_key,
    passphrase,
    tryKeyboard: password !== undefined,
    readyTimeout: Math.min(limits.idleMs, 20_000),
    keepaliveInterval: 15_000,
    hostVerifier: (key: Buffer) => {
      hostKey = fingerprint(key)
      return host_key_fingerprints ? host_key_fingerprints.includes(hostKey) : true
    },
  }
  try {
    await untilAborted(ready(client, connect, password), signal)
    const sftp = await untilAborted(
      new Promise<SFTPWrapper>((resolve, reject) =>
        client.sftp((error, opened) => (error ? reject(error) : resolve(opened))),
      ),
      signal,
    )
    const home = await untilAborted(
      call<string>(done => sftp.realpath('.', done)),
      signal,
    )
    const root = base_path.startsWith('/')
      ? base_path.replace(/\/+$/, '')
      : [home.replace(/\/$/, ''), base_path].filter(Boolean).join('/')
    return { sftp, hostKey, server: remoteVersion(client), root: root.replace(/\/+$/, ''), close }
  } catch (error) {
    close()
    const refused = hostKey && host_key_fingerprints && !host_key_fingerprints.includes(hostKey)
    throw refused && !signal.aborted ? new SourceError('source_host_key_mismatch') : sftpError(error)
  }
}

function ready(client: Client, config: ConnectConfig, password: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once('ready', resolve)
    // Stays: a connection that breaks later is told by the calls that wait for an answer.
    client.on('error', reject)
    client.once('close', () => reject(new SourceError('source_connection_lost')))
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) =>
      answer(prompts.length === 1 && password !== undefined ? [password] : []),
    )
    try {
      client.connect(config)
    } catch {
      // Thrown before anything is sent, and only for a key that cannot be read; its text may quote the key.
      reject(new SourceError('source_config_invalid', 'The private key cannot be read, or its passphrase is wrong'))
    }
  })
}

const remoteVersion = (client: Client) =>
  String((client as unknown as { _remoteVer?: string })._remoteVer ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 60)

/** One call of the protocol as a promise. */
export const call = <T>(start: (done: (error: unknown, value: T) => void) => unknown): Promise<T> =>
  new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))))
