import type { JobUnderReview, WaitingJob } from '../../api/reviews.ts'
import type { Place } from '../../store/ahead.ts'
import { assetsAhead, listAssets } from '../../store/assets.ts'
import { getItems, type Item } from '../../store/dynamo.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { JOB, planKeysOf } from '../../store/jobs.ts'
import { runningAhead, runningJobs } from '../../store/open-work.ts'
import { keyOf } from '../../store/records.ts'
import { loadDecisions, placeOfRuleNames } from '../../store/reviews.ts'
import { namesOf, USER } from '../../store/users.ts'
import { presentReview } from './present-review.ts'
import { isWaiting, requireWaiting } from './review.ts'
import { ruleNamesOf } from './rule-names.ts'

/** Assets that are told of a job. */
const SHOWN = 1000

type Names = ReadonlyMap<string, string>

const person = (id: string, names: Names) => ({ id, name: names.get(id) ?? null })

const told = (job: JobRecord, names: Names): WaitingJob => {
  const { id, name, ownerId, assetCount, startedAt } = job
  return { id, name, owner: person(ownerId, names), assetCount, startedAt, review: presentReview(job)! }
}

/** Jobs that are read with their owners by one request, beside the caller. */
const MOST_AHEAD = 40

/** Where the jobs are that run, and their owners; nowhere where they are many. */
export async function waitingAhead(): Promise<Place[]> {
  const jobs = await runningAhead(MOST_AHEAD + 1)
  if (jobs.length > MOST_AHEAD) return []
  return jobs.flatMap(({ id, ownerId }) => [
    { table: JOB.table, key: keyOf(JOB, id) },
    { table: USER.table, key: keyOf(USER, ownerId) },
  ])
}

/** The jobs of everybody that wait for their review, those first whose time ends first. */
export async function listWaiting(): Promise<WaitingJob[]> {
  const keys = []
  for await (const id of runningJobs()) keys.push(keyOf(JOB, id))
  const waiting = (await getItems<JobRecord & Item>('jobs', keys)).filter(isWaiting)
  const names = await namesOf(waiting.map(({ ownerId }) => ownerId))
  const deadline = ({ review }: JobRecord) => Date.parse(review!.deadline!)
  return waiting.toSorted((a, b) => deadline(a) - deadline(b)).map(job => told(job, names))
}

/** Assets that are read before it is known whether the job waits. */
const ASSETS_AHEAD = 100

/** What a job under review shows besides its record; its assets are begun to be read. */
export function reviewAhead(jobId: string): Place[] {
  assetsAhead(jobId, ASSETS_AHEAD)
  return [placeOfRuleNames(jobId)]
}

/** What those who review a job see of it besides its proposals; 400 where it does not wait for them. */
export async function showReviewed(job: JobRecord): Promise<JobUnderReview> {
  const { approvals } = requireWaiting(job)
  const known = [job.ownerId, ...approvals.map(({ userId }) => userId)]
  const reading = [
    loadDecisions(job),
    ruleNamesOf(job, planKeysOf(job)),
    listAssets(job.id, SHOWN),
    namesOf(known),
  ] as const
  const [decisions, named, assets, namesOfKnown] = await Promise.all(reading)
  const people = [...new Set([...approvals, ...decisions].map(({ userId }) => userId))]
  const namesOfOthers = await namesOf(people.filter(id => !known.includes(id)))
  const names = new Map([...namesOfKnown, ...namesOfOthers])
  const rules = new Map(named.flat().map(rule => [rule.ruleId, rule.name]))
  return {
    ...told(job, names),
    people: people.map(id => person(id, names)),
    assets,
    rules: [...rules].map(([ruleId, name]) => ({ ruleId, name })),
  }
}
