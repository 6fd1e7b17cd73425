import { texts } from '../../shared/api/texts.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { restoreNow } from '../../shared/texts/restore-now.ts'

export const handler = handle(texts.restore)(({ body, user }) => restoreNow(body, user))
