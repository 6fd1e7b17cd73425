import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isConsistent } from '../../verifier/tree.ts'

/** What a witness answers: a status and a body. */
type Answer = [status: number, body: string]

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'))

/**
 * A witness on this machine (C2SP tlog-witness) of one log, whose key it is told as verifiers are. It checks signatures and proofs
 * by other code than the log has. `answering` may change what it answers.
 */
export async function startWitness(
  name: string,
  logKey: string,
  answering = (answer: Answer, _body: string) => answer,
) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = (x: string | undefined) => Buffer.from(x!, 'base64url')
  const typed = Buffer.concat([Buffer.of(4), raw(publicKey.export({ format: 'jwk' }).x)])
  const id = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4)
  const [origin, logId, encoded] = logKey.split('+', 2).concat(logKey.split('+').slice(2).join('+')) as [
    string,
    string,
    string,
  ]
  const x = Buffer.from(encoded, 'base64').subarray(1).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  let seen = { size: 0, root: '' }

  function cosigned(text: string): string {
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000)))
    const message = `cosignature/v1\ntime ${time.readBigUInt64BE()}\n${text}`
    return `— ${name} ${Buffer.concat([id, time, sign(null, Buffer.from(message), privateKey)]).toString('base64')}\n`
  }

  async function answerTo(body: string): Promise<Answer> {
    const end = body.indexOf('\n\n')
    const [old = '', ...proof] = body.slice(0, end).split('\n')
    const note = body.slice(end + 2)
    const text = `${note.split('\n\n')[0]}\n`
    const [shown, size = '', root = ''] = text.split('\n')
    if (shown !== origin) return [404, '']
    const signature = Buffer.from(note.split('\n\n')[1]!.match(/^— \S+ (\S+)\n$/)![1]!, 'base64')
    const fits = signature.subarray(0, 4).toString('hex') === logId
    if (!fits || !verify(null, Buffer.from(text), key, signature.subarray(4))) return [403, '']
    if (Number(old.replace(/^old /, '')) !== seen.size) return [409, `${seen.size}\n`]
    const [before, after] = [[seen.size, bytes(seen.root)] as const, [Number(size), bytes(root)] as const]
    if (seen.size > 0 && !(await isConsistent(before, after, proof.map(bytes)))) return [422, '']
    seen = { size: Number(size), root }
    return [200, cosigned(text)]
  }

  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    asked.push(`${request.method} ${request.url}`)
    const [status, reply] = answering(await answerTo(body), body)
    response.writeHead(status, status === 409 ? { 'content-type': 'text/x.tlog.size' } : {}).end(reply)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    name,
    key: `${name}+${id.toString('hex')}+${typed.toString('base64')}`,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/w`,
    asked,
    cosigned,
    /** Has it believe that it has seen a log of this size and root (base64). */
    remember: (size: number, root: string) => {
      seen = { size, root }
    },
    seen: () => seen.size,
    stop: () => new Promise(resolve => server.close(resolve)),
  }
}
