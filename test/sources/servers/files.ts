import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { certificates, openssl } from './certificates.ts'
import { account, freePort, isRoot, program, scratch, start } from './process.ts'

/** What the SSH and FTP servers need: their programs, and the right to make an account for the time of the tests. */
export const sshPrograms = {
  sshd: program('sshd'),
  sftp: program('sftp-server', '/usr/lib/openssh'),
  keygen: program('ssh-keygen'),
}
export const ftpPrograms = { vsftpd: program('vsftpd') }
const rights = { openssl, useradd: program('useradd'), isRoot }
export const mayServeFiles = Object.values(rights)

export const password = 'drop-secret'

/** Bytes of the large file, which no two 4-byte groups of share. */
export const largeFile = Buffer.from(Uint32Array.from({ length: 15_000_000 }, (_, at) => at * 2654435761).buffer)

/** An account of the system with a folder of files to serve. */
function temporaryAccount(folder: string) {
  const user = `drop-${randomUUID().slice(0, 8)}`
  const home = join(folder, 'home')
  const hash = execFileSync(openssl!, ['passwd', '-6', password]).toString().trim()
  execFileSync(rights.useradd!, ['-M', '-d', home, '-s', '/bin/sh', '-p', hash, user], { stdio: 'pipe' })
  const { uid, gid } = account(user)
  const drop = join(home, 'drop')
  mkdirSync(join(drop, 'sub folder'), { recursive: true })
  mkdirSync(join(drop, 'locked'))
  writeFileSync(join(drop, 'small.csv'), 'id,name\n1,"Ada"\n')
  writeFileSync(join(drop, 'large.bin'), largeFile)
  writeFileSync(join(drop, 'denied.txt'), 'not for you')
  writeFileSync(join(drop, 'sub folder', 'ü 😀.txt'), 'unicode')
  execFileSync('chown', ['-R', `${uid}:${gid}`, home])
  chmodSync(join(drop, 'denied.txt'), 0o600)
  chownSync(join(drop, 'denied.txt'), 0, 0)
  chmodSync(join(drop, 'locked'), 0o700)
  chownSync(join(drop, 'locked'), 0, 0)
  // By force: a session of the server may take a moment longer to end.
  return { user, home, drop, remove: () => execFileSync('userdel', ['-f', user], { stdio: 'pipe' }) }
}

/** OpenSSH with password, key and encrypted key logins of one account. */
export async function startSshServer() {
  const folder = scratch()
  const { user, home, drop, remove } = temporaryAccount(folder.path)
  const at = (name: string) => join(folder.path, name)
  const key = (name: string, passphrase = '') => {
    execFileSync(sshPrograms.keygen!, ['-q', '-t', 'ed25519', '-N', passphrase, '-f', at(name)])
    return readFileSync(at(name), 'utf8')
  }
  key('host')
  key('other')
  const plainKey = key('login')
  const lockedKey = key('locked', 'passphrase')
  writeFileSync(at('authorized'), readFileSync(at('login.pub'), 'utf8') + readFileSync(at('locked.pub'), 'utf8'))
  mkdirSync('/run/sshd', { recursive: true })
  const port = await freePort()
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${at('host')}`,
    `PidFile ${at('pid')}`,
    'UsePAM no',
    'PasswordAuthentication yes',
    `AuthorizedKeysFile ${at('authorized')}`,
    'StrictModes no',
    'MaxStartups 100',
    'PerSourceMaxStartups none',
    `Subsystem sftp ${sshPrograms.sftp}`,
  ]
  writeFileSync(at('config'), settings.join('\n'))
  const server = await start(sshPrograms.sshd!, ['-D', '-e', '-f', at('config')], port)
  const fingerprint = (name: string) =>
    /SHA256:\S+/.exec(execFileSync(sshPrograms.keygen!, ['-l', '-f', at(`${name}.pub`)]).toString())![0]
  return {
    port,
    user,
    home,
    drop,
    plainKey,
    lockedKey,
    hostKey: fingerprint('host'),
    otherKey: fingerprint('other'),
    stop: async () => {
      await server.stop()
      remove()
      folder.remove()
    },
  }
}

/** vsftpd with explicit or implicit TLS, or none. */
export async function startFtpServer(mode: 'ftps' | 'ftps_implicit' | 'ftp') {
  const folder = scratch()
  const { user, drop, remove } = temporaryAccount(folder.path)
  const tls = certificates(folder.path)
  const port = await freePort()
  const on = mode === 'ftp' ? 'NO' : 'YES'
  const settings = [
    'listen=YES',
    'listen_address=127.0.0.1',
    `listen_port=${port}`,
    'background=NO',
    'local_enable=YES',
    'write_enable=YES',
    'anonymous_enable=NO',
    'seccomp_sandbox=NO',
    'delay_failed_login=0',
    'pasv_address=127.0.0.1',
    `ssl_enable=${on}`,
    `force_local_logins_ssl=${on}`,
    `force_local_data_ssl=${on}`,
    `implicit_ssl=${mode === 'ftps_implicit' ? 'YES' : 'NO'}`,
    `rsa_cert_file=${tls.certFile}`,
    `rsa_private_key_file=${tls.keyFile}`,
    'ssl_ciphers=HIGH',
    `secure_chroot_dir=${folder.path}/empty`,
    'utf8_filesystem=YES',
  ]
  mkdirSync(join(folder.path, 'empty'))
  writeFileSync(join(folder.path, 'vsftpd.conf'), `${settings.join('\n')}\n`)
  const server = await start(ftpPrograms.vsftpd!, [join(folder.path, 'vsftpd.conf')], port)
  return {
    port,
    user,
    drop,
    ca: tls.ca,
    /** Ends the processes that serve open connections. */
    breakOff: () => {
      const sessions = execFileSync('ps', ['-o', 'pid=', '-u', user]).toString().trim().split(/\s+/)
      for (const pid of sessions) process.kill(Number(pid), 'SIGKILL')
    },
    stop: async () => {
      await server.stop()
      remove()
      folder.remove()
    },
  }
}
