/** What part of a name a word is. */
export type Role = 'given' | 'surname'

/** Another word for a word of a name; both compared as `fold` does. Always the same for the same word and role. */
export type Names = {
  /** What a word is by itself; nothing where the lists have it as both or neither. */
  roleOf(folded: string): Role | undefined
  isKnown(folded: string): boolean
  /** Whether a language's lists have it as a role; as a given name, of a gender. */
  isListed(folded: string, role: Role, language: string, gender: 'm' | 'f'): boolean
  another(folded: string, role: Role): string
  /** A surname that no list and no value has, for a word for which no other one is left. */
  madeUp(folded: string): string
  /** The name behind one in its list, whether or not it is a value; of one that no list has, another one. */
  behind(folded: string, role: Role): string
  /** Whether most names of its list are left, so that another one is no word of the job. */
  isLeft(folded: string, role: Role): boolean
}
