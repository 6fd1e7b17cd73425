/** A word as another reader puts it, with the reader's characters behind it. */
export type OtherWord = { text: string; chars: number[] }
