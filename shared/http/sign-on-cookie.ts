import type { RequestInfo } from './request.ts'

/**
 * Over TLS the name keeps other hosts of the domain from setting the cookie (RFC 6265bis, 4.1.3.2); on the machine itself,
 * without TLS, browsers would refuse that name.
 */
const nameFor = (baseUrl: string) => (baseUrl.startsWith('https:') ? '__Host-sign_on' : 'sign_on')

/** The secret of a log-in by a provider among the cookies of a request. */
export const signOnSecretOf = (baseUrl: string, cookies = ''): string | undefined =>
  new RegExp(`(?:^|;\\s*)${nameFor(baseUrl)}=([\\w-]{1,128})(?:;|$)`).exec(cookies)?.[1]

/**
 * A `Set-Cookie` that binds a log-in by a provider to this browser. It comes back with the browser that a page of the
 * provider sends, so it is `Lax`.
 */
export function signOnCookie({ baseUrl }: RequestInfo, secret: string, seconds: number): string {
  const isSecure = baseUrl.startsWith('https:')
  const where = isSecure ? 'Path=/; Secure' : `Path=${new URL(baseUrl).pathname}/identity`
  return `${nameFor(baseUrl)}=${secret}; ${where}; Max-Age=${seconds}; HttpOnly; SameSite=Lax`
}
