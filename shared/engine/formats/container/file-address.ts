import { blankPng } from '../ooxml/blank-image.ts'

/** A picture that shows nothing, as an address. */
export const emptyPicture = `data:image/png;base64,${blankPng.toString('base64')}`

/** Addresses that hold a file of any kind in base64, in any text; what is wrapped goes on in lines of nothing else. */
export const fileAddress =
  /data:[\w.+/-]{0,199}(?:;[\w.=+-]{1,99}){0,9};base64,(?:\r?\n[ \t]*)?[\w+/=%-]+(?:\r?\n[ \t]*[\w+/=%-]{40,}(?=[\r\n"')>\s]|$))*(?:\r?\n[ \t]*[\w+/-]+=*(?=["')>]))?/gi

/** What every such address has. */
export const holdsFile = /;base64,/i

const wholeAddress = /^\s*data:[\w.+/-]{0,199}(?:;[\w.=+-]{1,99}){0,9};base64,[\w+/=%\s-]+$/i

/** Whether a text is nothing but an address that holds a file in base64, on one line or several. */
export const isFileAddress = (text: string): boolean => wholeAddress.test(text)
