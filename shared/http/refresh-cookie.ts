import type { RequestInfo } from './request.ts'

const name = 'refresh_token'

/** The refresh token among the cookies of a request. */
export const refreshCookieOf = (cookies = ''): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([^;\\s]{1,512})`).exec(cookies)?.[1]

/**
 * A `Set-Cookie` that hands the console its refresh token, or without one takes it back. No program of a page can read it,
 * and no page of another site can have it sent. Without TLS, on the machine itself only, it has no `Secure`, which browsers
 * would refuse there.
 */
export function refreshCookie({ baseUrl }: RequestInfo, token: string | undefined, seconds: number): string {
  const { protocol, pathname } = new URL(baseUrl)
  const secure = protocol === 'https:' ? '; Secure' : ''
  const path = `${pathname}/auth`
  return `${name}=${token ?? ''}; Path=${path}; Max-Age=${token ? seconds : 0}; HttpOnly; SameSite=Strict${secure}`
}
