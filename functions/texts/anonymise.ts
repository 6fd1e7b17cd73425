import { texts } from '../../shared/api/texts.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { anonymiseNow } from '../../shared/texts/anonymise-now.ts'

export const handler = handle(texts.anonymise)(({ body, user }) => anonymiseNow(body, user))
