/** What steers a terminal, or the direction and the lines of a text, but doesn't show. */
const steering = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Names and values as they may be shown on a terminal: what would steer it is spelt out, `\u001b`. */
export const printable = (text: string): string =>
  text.replace(steering, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
