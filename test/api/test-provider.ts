import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

type Pair = { publicKey: CryptoKey; privateKey: CryptoKey; kid: string; jwk: JWK }

/** A pair of keys for signatures, and the public one as it is published. */
export async function makeKeys(alg = 'ES256', kid: string = randomUUID()): Promise<Pair> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { publicKey, privateKey, kid, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** What a provider is asked for, and how it may be told to answer. */
type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** What a browser was sent to a provider with. */
export type Asked = { state: string; nonce: string; code_challenge: string; redirect_uri: string } & Record<
  string,
  string
>

/** One issuer of the server: what it knows, and what it does wrong as long as it is told to. */
export class Tenant {
  readonly issuer: string
  readonly metadata: Record<string, unknown>
  keys: Pair[] = []
  /** Secret of the client; none for a public one. */
  secret: string | undefined
  /** Stand in for the answers of the endpoints. */
  token: Answering | undefined
  jwks: Answering | undefined
  userinfo: Record<string, unknown> | undefined
  /** Who it said last that somebody is. */
  #subject: string | undefined
  readonly #codes = new Map<string, { asked: Asked; makeToken: () => Promise<string> | string }>()

  constructor(issuer: string) {
    this.issuer = issuer
    this.metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      // More than any client should take.
      id_token_signing_alg_values_supported: ['ES256', 'RS256', 'RS512', 'HS256', 'none'],
    }
  }

  /** Good claims of an ID token. */
  claims(nonce: string, more: JWTPayload = {}): JWTPayload {
    const now = Math.floor(Date.now() / 1000)
    const times = { iat: now, exp: now + 300, auth_time: now }
    return { iss: this.issuer, aud: 'service', sub: 'ada', nonce, ...times, ...more }
  }

  sign(claims: JWTPayload, header: Record<string, unknown> = {}, key = this.keys[0]!): Promise<string> {
    this.#subject = claims.sub
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: key.kid, ...header })
      .sign(key.privateKey, { crit: { b64: true, exotic: true } } as object)
  }

  /** A code that is exchanged once, by whoever asked, for what `makeToken` makes. */
  code(asked: Asked, makeToken: () => Promise<string> | string): string {
    const code = randomUUID()
    this.#codes.set(code, { asked, makeToken })
    return code
  }

  async answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (path === '/.well-known/openid-configuration') return json(response, 200, this.metadata)
    if (path === '/jwks') {
      return this.jwks
        ? this.jwks(request, response, body)
        : json(response, 200, { keys: this.keys.map(({ jwk }) => jwk) })
    }
    if (path === '/userinfo') return json(response, 200, this.userinfo ?? { sub: this.#subject })
    if (path === '/token') {
      return this.token ? this.token(request, response, body) : this.#exchange(request, response, body)
    }
    json(response, 404, {})
  }

  async #exchange(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const sent = Object.fromEntries(new URLSearchParams(body))
    // RFC 6749, 2.3.1: each half is encoded as in a form.
    const shown = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString()
    const isClient = this.secret
      ? shown.split(':').map(decodeURIComponent).join(':') === `service:${this.secret}`
      : sent.client_id === 'service'
    if (!isClient) return json(response, 401, { error: 'invalid_client' })
    const known = this.#codes.get(sent.code ?? '')
    this.#codes.delete(sent.code ?? '')
    const challenge = createHash('sha256')
      .update(sent.code_verifier ?? '')
      .digest('base64url')
    const isSame = known?.asked.code_challenge === challenge && known.asked.redirect_uri === sent.redirect_uri
    if (!known || !isSame || sent.grant_type !== 'authorization_code')
      return json(response, 400, { error: 'invalid_grant' })
    const id_token = await known.makeToken()
    json(response, 200, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token })
  }
}

/** Answers JSON. */
export function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** A server with issuers at paths of their names, each with a key of its own. */
export async function startProviders<Name extends string>(names: readonly Name[]) {
  const tenants = new Map<string, Tenant>()
  const server = createServer((request, response) => {
    const [, name = '', path] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? []
    const tenant = tenants.get(name)
    if (tenant && path) tenant.answer(path, request, response).catch(error => response.destroy(error))
    else json(response, 404, {})
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const name of names) {
    const tenant = new Tenant(`${base}/${name}`)
    tenant.keys = [await makeKeys()]
    tenants.set(name, tenant)
  }
  const stop = () =>
    new Promise(done => {
      server.close(done)
      server.closeAllConnections()
    })
  return { tenants: Object.fromEntries(tenants) as Record<Name, Tenant>, stop }
}
