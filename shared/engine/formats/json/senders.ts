import type { TextNode } from '../text/text-nodes.ts'

/** Keys of those who send messages, and of those who get them; alone they may be anything. */
const senders =
  /^(?:from|to|sender|recipient|author|user|user_?name|handle|nick(?:name)?|de|para|von|an|da|od|do|van|aan|expéditeur|remitente|autor|auteur|absender|mittente|nadawca|afzender)$/i
const messages =
  /^(?:text|message|msg|body|content|mensaje|texto|mensagem|messaggio|testo|nachricht|bericht|wiadomo[śs][ćc]|tre[śs][ćc]|tekst|texte)$/i

/** What programs call the sides of a conversation. */
const roles = /^(?:user|assistant|system|bot|tool|human|ai|agent|customer|support|admin|model|function|me|you)$/i

/** Tells of the strings of an object, by their keys, which of them name people: those beside the text of a message. */
export function nameSenders(strings: ReadonlyMap<string, TextNode>): void {
  if (!strings.keys().some(key => messages.test(key))) return
  for (const [key, { segment }] of strings)
    if (senders.test(key) && !roles.test(segment.text.trim())) segment.heading = 'sender name'
}
