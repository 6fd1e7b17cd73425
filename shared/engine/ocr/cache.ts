import type { OcrResult } from './picture.ts'

/** What was read in pictures, by the SHA-256 (hexadecimal) of their size and pixels. */
export type KnownPictures = Map<string, OcrResult>

/** What an asset's pictures are known to show, and how many pages with others one run may read itself. */
export type OcrBudget = { known: KnownPictures; most: number }

/** Which file unread pictures stand in: the asset as it came, or an output that is still to be verified. */
export type PendingIn = 'input' | 'output'
