/** Pixels, rows from the top: grey (1 byte each) or red, green, blue (3). */
export type Picture = { width: number; height: number; channels: 1 | 3; pixels: Uint8Array }

/** A part of a picture, in pixels from the top left. */
export type Box = { left: number; top: number; right: number; bottom: number }

/** Whether two boxes share anything. */
export const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top

/** A word that was read, and where. */
export type OcrWord = Box & {
  text: string
  confidence: number
  /** Quarter turns clockwise after which the word stands upright; absent where it does. */
  turns?: Turns
  /** Angle, clockwise in radians, by which its line slants; its box is the one around the word then. Absent where it is level. */
  slant?: number
  /** Where the word was read as text, and stands on its line only about there. */
  isText?: true
}

/** What was read in a picture: words line by line, in reading order, and the mean confidence from 0 to 1. */
export type OcrResult = { lines: OcrWord[][]; confidence: number }

/** Quarter turns clockwise by which a picture must be turned to stand upright. */
export type Turns = 0 | 1 | 2 | 3

/** How a picture is laid out: like a page, or as lines that have nothing to do with each other. */
export type Layout = 'page' | 'snippets'

/** Reads text in pictures. Call `close` when nothing more is to be read. */
export type OcrReader = { read(picture: Picture, layout?: Layout): Promise<OcrResult>; close(): Promise<void> }
