import { failDeadLetter } from '../../shared/jobs/lifecycle/dead-letter.ts'
import { eachMessage } from '../../shared/jobs/worker/sqs-handler.ts'
import { failTaking } from '../../shared/schedules/take.ts'

/** Ends what a message that failed every time was for: the consumer of the dead-letter queue. */
export const handler = eachMessage(message => (message.type === 'TAKE' ? failTaking(message) : failDeadLetter(message)))
