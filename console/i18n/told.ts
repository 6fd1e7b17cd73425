/**
 * What a problem is called in another language than English, perhaps made of what its message says. After one that ends
 * with a colon follows the message itself, if it says more than the meaning of the code.
 */
export type Text = string | ((msg: string) => string)

/** What the service says in English, in another language. */
export type Told = {
  /** Problems by their code. */
  problems: Record<string, Text>
  /** A note on a file, a source or a model. */
  note(note: string): string
}
