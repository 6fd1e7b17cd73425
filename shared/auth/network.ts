import { isIPv6 } from 'node:net'

/**
 * The network that somebody calls from, as far as one customer of a provider holds it: an IPv4 address, or the first
 * 64 bits of an IPv6 address, below which everybody has as many addresses as they like.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return address
  const [head = [], tail = []] = bare.split('::').map(half => half.split(':').filter(Boolean))
  // An IPv4 address at the end stands for two groups.
  const missing = 8 - head.length - tail.length - Number(bare.includes('.'))
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail].slice(0, 4)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
