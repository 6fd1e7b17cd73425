import { createRestorer } from 'anonymisation-engine/placeholders'
import type { RestoreReply, RestoreRequest } from '../api/texts.ts'
import type { Caller } from '../http/caller.ts'
import { openSession } from './session.ts'

/** Puts the values of a session back in place of its placeholders. */
export async function restoreNow({ texts, session, writing }: RestoreRequest, user: Caller): Promise<RestoreReply> {
  const { placeholders } = await openSession(session.sealed, user)
  const restorer = createRestorer(placeholders.entries())
  return { texts: texts.map(text => restorer.restore({ text, writing })) }
}
