import type { TextNode } from '../text/text-nodes.ts'

/** Keys of those who send messages, and of those who get them; alone they may be anything. */
const senders =
  /^(?:from|to|sender|recipient|author|user|user_?name|handle|nick(?:name)?|de|para|von|an|da|od|do|van|aan|expéditeur|remitente|autor|auteur|absender|mittente|nadawca|afzender)$/i
const messages =
  /^(?:text|message|msg|body|content|mensaje|texto|mensagem|messaggio|testo|nachricht|bericht|wiadomo[śs][ćc]|tre[śs][ćc]|tekst|texte)$/i

/** What programs call the sides of a conversation. */
const roles = /^(?:user|assistant|system|bot|tool|human|ai|agent|customer|support|admin|model|function|me|you)$/i

/** Whether a key may be that of who sends or gets a message, and of its text. */
export const isSenderKey = (key: string): boolean => senders.test(key)
export const isMessageKey = (key: string): boolean => messages.test(key)

/** Tells of strings beside the text of a message, those of who sends or gets it, which of them name people. */
export function nameSenders(strings: Iterable<TextNode>): void {
  for (const { segment } of strings) if (!roles.test(segment.text.trim())) segment.heading = 'sender name'
}
