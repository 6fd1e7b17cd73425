/**
 * Whether a `Host` header names this machine: its loopback addresses, `localhost` and what is below it, or one of `more`.
 * A page of any other name, whose address its owner has pointed here, is none of ours (DNS rebinding).
 */
export function isOwnHost(header: string | undefined, more: readonly string[] = []): boolean {
  const name = header?.toLowerCase().replace(/:\d*$/, '') ?? ''
  return /^(127(\.\d{1,3}){3}|\[::1\]|([\w-]+\.)*localhost)$/.test(name) || more.includes(name)
}

/**
 * Whether an `Origin` header is that of a page of this machine, or of one of `more`. A page of no origin (`null`) is none, for
 * any page can make one: in a frame without its own origin.
 */
export const isOwnOrigin = (origin: string, more: readonly string[] = []): boolean =>
  /^https?:\/\//.test(origin) && isOwnHost(origin.replace(/^https?:\/\//, ''), more)
