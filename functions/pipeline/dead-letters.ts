import { eachMessage } from '../../shared/jobs/batch.ts'
import { bury } from '../../shared/jobs/dead.ts'

/** Ends what a message that failed every time was for: the consumer of the dead-letter queue. */
export const handler = eachMessage(message => bury(message))
