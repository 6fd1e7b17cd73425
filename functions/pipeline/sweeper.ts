import { sweep } from '../../shared/jobs/sweep.ts'

/** Looks after jobs under way, every five minutes. */
export const handler = (): Promise<void> => sweep()
