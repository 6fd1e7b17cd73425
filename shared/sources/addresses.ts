import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Which addresses beyond the public ones may be connected to. */
export type EgressPolicy = { allow: readonly Range[] }

/**
 * Never allowed, whatever the operator says: link-local, "this network", multicast and broadcast, and the addresses at
 * which the clouds serve credentials of the machine (AWS, Azure, Google, Oracle, Alibaba).
 */
const never = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '::/128',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'ff00::/8',
].map(range => ipaddr.parseCIDR(range))

const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** IPv4-compatible addresses, which the parser takes for mapped ones and the network for others. */
const compatible = /^(?!::ffff:|64:ff9b::).*:.*\./i

const within = (address: Address, ranges: readonly Range[]) =>
  ranges.some(([network, bits]) => address.kind() === network.kind() && address.match([network, bits] as never))

/**
 * Reads the operator's setting: networks in CIDR notation separated by commas, such as `10.0.0.0/8,fd12:3456::/32`.
 * Throws where it is not that.
 */
export function egressPolicy(setting: string): EgressPolicy {
  const networks = setting
    .split(',')
    .map(network => network.trim())
    .filter(Boolean)
  return {
    allow: networks.map(network => {
      if (!ipaddr.isValidCIDR(network)) throw new Error(`Not a network in CIDR notation: ${network}`)
      return ipaddr.parseCIDR(network)
    }),
  }
}

/**
 * Whether this address (as a resolver or a socket gives it) may be connected to. IPv4 addresses wrapped in IPv6 (mapped,
 * NAT64) are judged by the address inside; what cannot be read is refused.
 */
export function mayConnect(text: string, { allow }: EgressPolicy): boolean {
  if (!ipaddr.isValid(text) || compatible.test(text)) return false
  const address = ipaddr.process(text)
  const inside = address.kind() === 'ipv6' ? embedded(address as ipaddr.IPv6) : undefined
  if (inside) return mayConnect(inside, { allow })
  if (within(address, never)) return false
  if (within(address, allow)) return true
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match([...globalUnicast] as never))
}

/** The IPv4 address in an address of the well-known NAT64 prefix 64:ff9b::/96 (RFC 6052). */
function embedded(address: ipaddr.IPv6): string | undefined {
  const [a, b, c, d, e, f, high, low] = address.parts as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (a !== 0x64 || b !== 0xff9b || c || d || e || f) return
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}
