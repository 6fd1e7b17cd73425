/** Whether the digits of bytes in hexadecimal are numbers of which each is one more than the one before, so that they are no text. */
export function isNumberSeries(digits: string): boolean {
  if (!/^\d+$/.test(digits)) return false
  for (let at = 2; at < digits.length; at += 2)
    if (Number(digits.slice(at, at + 2)) !== Number(digits.slice(at - 2, at)) + 1) return false
  return true
}
