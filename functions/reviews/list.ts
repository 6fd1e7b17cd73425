import { reviews } from '../../shared/api/reviews.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed, pageOf } from '../../shared/http/list-response.ts'
import { listWaiting, waitingAhead } from '../../shared/jobs/review/list-waiting.ts'

export const handler = handle(reviews.list)(async call => listed(call, pageOf(await listWaiting(), call.page)), {
  ahead: waitingAhead,
})
