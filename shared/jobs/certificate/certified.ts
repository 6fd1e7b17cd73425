import type { JobRecord } from '../../store/job-record.ts'

/** Whether a job is of the kind that is certified: it has ended, and neither gave up its outputs nor restored any. */
export const isCertified = ({ status, restores }: Pick<JobRecord, 'status' | 'restores'>): boolean =>
  (status === 'SUCCEEDED' || status === 'FAILED') && !restores
