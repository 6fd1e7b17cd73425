/** Cuts one word into pieces: vocabulary id and where in the word each piece ends (UTF-16). */
export type Cutter = (word: string) => [id: number, end: number][]
