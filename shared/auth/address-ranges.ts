import { BlockList, isIP } from 'node:net'

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

/**
 * Whether an address is in one of the ranges (`192.0.2.0/24`, `2001:db8::/32`, or one address); everywhere is where there
 * are none. What is no address is in no range.
 */
export function isWithin(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true
  if (isIP(address) === 0) return false
  const list = new BlockList()
  for (const range of ranges) {
    const [base = '', bits] = range.split('/')
    if (bits === undefined) list.addAddress(base, familyOf(base))
    else list.addSubnet(base, Number(bits), familyOf(base))
  }
  return list.check(address, familyOf(address))
}
