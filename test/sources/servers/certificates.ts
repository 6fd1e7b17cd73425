import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program, scratch } from './process.ts'

export const openssl = program('openssl')

/** An authority of its own with a certificate for the names, in a folder: paths of the files, and the texts. */
export function certificates(folder: string, names = 'DNS:localhost') {
  const at = (name: string) => join(folder, name)
  const run = (...args: string[]) => execFileSync(openssl!, args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  run('req', '-x509', ...key, '-days', '2', '-subj', '/CN=test authority', '-keyout', 'ca.key', '-out', 'ca.pem')
  run('req', ...key, '-subj', '/CN=test server', '-keyout', 'server.key', '-out', 'server.csr')
  writeFileSync(at('names'), `subjectAltName=${names}\n`)
  const issued = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
  run('x509', '-req', '-in', 'server.csr', ...issued, '-out', 'server.pem')
  return {
    ca: readFileSync(at('ca.pem'), 'utf8'),
    cert: readFileSync(at('server.pem'), 'utf8'),
    key: readFileSync(at('server.key'), 'utf8'),
    caFile: at('ca.pem'),
    certFile: at('server.pem'),
    keyFile: at('server.key'),
  }
}

/** An authority that has certified none of the servers. */
export function otherAuthority(): string {
  const folder = scratch()
  try {
    return certificates(folder.path).ca
  } finally {
    folder.remove()
  }
}
