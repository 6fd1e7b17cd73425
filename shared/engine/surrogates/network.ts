import * as z from 'zod'
import { otherIPv4 } from './ipv4.ts'
import type { Keyed } from './keyed.ts'
import type { Persons } from './person.ts'
import { otherDigits, sameShape } from './shape.ts'
import { inCaseOf } from './spelling.ts'

const [ipv4, ipv6] = [z.ipv4(), z.ipv6()]
const isIPv4 = (text: string): boolean => ipv4.safeParse(text).success
const isIPv6 = (text: string): boolean => ipv6.safeParse(text).success

/** What holds a person's name in small letters, as addresses do, and what stands for it. */
export type Login = (word: string) => string
/** What stands for such words, each by itself or those of one address together; also for those that name nobody, if `all` do. */
export type Logins = Pick<Persons, 'login' | 'logins'> & { all?: true }

/** Words of local parts and paths that name nobody. */
const common = new Set(
  `info contact kontakt mail office admin support sales service team hello post noreply no reply webmaster www http https
  html php index api user users profile home com net org de fr es it nl uk co pl se at ch eu io`.split(/\s+/),
)

const parts = /\p{L}[\p{L}\p{M}]*(?![\p{L}\p{M}=])|\d+/gu
const isNumber = (word: string) => /^\d/.test(word)
const isCommon = (word: string) => common.has(word.toLowerCase())

/** The words of an address and its digits, replaced; separators and names of parameters stay. */
function eachWord(text: string, { logins, all }: Logins, keyed: Keyed): string {
  const stays = (word: string) => !all && isCommon(word)
  const words = (text.match(parts) ?? []).filter(word => !isNumber(word) && !stays(word))
  const made = logins(words.map(word => word.toLowerCase()))
  let next = 0
  return text.replace(parts, word => {
    if (isNumber(word))
      return word.length === 1 ? String(keyed.permute(Number(word), 10, 'digit')) : otherDigits(word, keyed, 'digits')
    return stays(word) ? word : inCaseOf(word, made[next++]!)
  })
}

const freeMail =
  /^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|gmx|web|icloud|me|mac|aol|proton|protonmail|t-online|orange|free|wanadoo|laposte|libero|virgilio|wp|onet|o2|seznam|mail|yandex|ziggo|kpn|telia|sapo|uol|bol)\.[a-z.]{2,6}$/

/** A domain that belongs to nobody: free mail becomes `mail.example`, any other one a name of its own below `.example`. */
export function otherDomain(domain: string, login: Login): string {
  const plain = domain.toLowerCase()
  if (freeMail.test(plain)) return 'mail.example'
  const labels = plain.split('.')
  const isTwoPart = labels.length > 2 && labels.at(-2)!.length <= 3 && labels.at(-1)!.length === 2
  const registered = labels.slice(0, isTwoPart ? -2 : -1)
  const name = registered.pop() ?? 'host'
  const below = registered.map(label => (common.has(label) ? label : login(label)))
  return [...below, login(name.replace(/[^a-z0-9]/g, '') || name), 'example'].join('.')
}

/** An address whose local part agrees with the person's new name. */
export function otherEmail(value: string, logins: Logins, keyed: Keyed, keepsDomain: boolean): string {
  const at = value.lastIndexOf('@')
  if (at < 0) return eachWord(value, logins, keyed)
  const domain = value.slice(at + 1)
  const local = eachWord(value.slice(0, at), logins, keyed)
  return `${local}@${keepsDomain ? domain : otherDomain(domain, logins.login)}`
}

/** A login name: the words of it that may be a name, and its digits. */
export const otherUsername = (value: string, logins: Logins, keyed: Keyed): string => eachWord(value, logins, keyed)

/** An address of the web below `.example`: what names somebody in its path goes as well. */
export function otherUrl(value: string, logins: Logins, keyed: Keyed, keepsDomain: boolean): string {
  const split = /^([a-z][a-z0-9+.-]*:\/\/)?(?:([^/@\s]*)@)?([^/?#:\s]+)(:\d+)?(.*)$/isu.exec(value)
  if (!split) return eachWord(value, logins, keyed)
  const [, scheme = '', user, host = '', port = '', rest = ''] = split
  const other = keepsDomain ? host : isIPv4(host) ? otherIp(host, keyed) : otherDomain(host, logins.login)
  return `${scheme}${user === undefined ? '' : `${eachWord(user, logins, keyed)}@`}${other}${port}${eachWord(rest, logins, keyed)}`
}

/** Another address: for one of IPv6 one that nobody has, below 2001:db8::/32 (RFC 3849). */
export function otherIp(value: string, keyed: Keyed): string {
  const [address = '', mask] = value.split('/')
  const end = mask === undefined ? '' : `/${mask}`
  if (isIPv4(address)) return otherIPv4(address, keyed) + end
  if (!isIPv6(address))
    return value.replace(/[0-9a-f]+/gi, part => (keyed.hash(`ip|${part}`) % 16 ** part.length).toString(16))
  const groups = [0, 1].flatMap(half => {
    const hex = keyed.hash(`ip|${half}|${address.toLowerCase()}`).toString(16).padStart(12, '0')
    return [hex.slice(0, 4), hex.slice(4, 8), hex.slice(8)]
  })
  return `2001:db8:${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}${end}`
}

/** Numbers that the first byte of an address of a device makes without the two bits that say who gave it and for whom. */
const perFirstByte = 2 ** 40

/**
 * An address of a device with the bit of those that are given locally, so that no maker has it. Addresses given in the same
 * way never become the same.
 */
export function otherMac(value: string, keyed: Keyed): string {
  const hex = value.toLowerCase().replace(/[^0-9a-f]/g, '')
  if (hex.length !== 12) return sameShape(value, keyed, 'mac')
  const first = Number.parseInt(hex.slice(0, 2), 16)
  const number = (first >> 2) * perFirstByte + Number.parseInt(hex.slice(2), 16)
  const drawn = keyed.permute(number, 64 * perFirstByte, `mac|${first & 3}`)
  const begin = Math.floor(drawn / perFirstByte) * 4 + 2
  const made = begin.toString(16).padStart(2, '0') + (drawn % perFirstByte).toString(16).padStart(10, '0')
  let next = 0
  const isUpper = value === value.toUpperCase()
  return value.replace(/[0-9a-f]/gi, () => (isUpper ? made[next++]!.toUpperCase() : made[next++]!))
}
