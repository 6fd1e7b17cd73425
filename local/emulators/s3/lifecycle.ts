import type { Bucket, Store, StoredObject } from './store.ts'
import { child, childrenOf, childText, type Element, parseXml } from './xml.ts'

const DAY = 86_400_000

/** When something expires after so many days: at the following midnight, UTC, as S3 counts. */
const midnightAfter = (time: number, days: number) => Math.ceil((time + days * DAY) / DAY) * DAY

interface Rule {
  prefix: string
  tags: [string, string][]
  least: number
  most: number
  days?: number
  date?: number
  abortDays?: number
}

const number = (text: string | undefined) => (text === undefined ? undefined : Number(text))

function readRule(rule: Element): Rule {
  const filter = child(rule, 'Filter')
  const all = child(filter, 'And') ?? filter
  const date = childText(child(rule, 'Expiration'), 'Date')
  return {
    prefix: childText(all, 'Prefix') ?? childText(rule, 'Prefix') ?? '',
    tags: childrenOf(all, 'Tag').map(tag => [childText(tag, 'Key') ?? '', childText(tag, 'Value') ?? '']),
    least: number(childText(all, 'ObjectSizeGreaterThan')) ?? -1,
    most: number(childText(all, 'ObjectSizeLessThan')) ?? Number.POSITIVE_INFINITY,
    days: number(childText(child(rule, 'Expiration'), 'Days')),
    date: date === undefined ? undefined : Date.parse(date),
    abortDays: number(childText(child(rule, 'AbortIncompleteMultipartUpload'), 'DaysAfterInitiation')),
  }
}

const rulesOf = ({ settings: { lifecycle } }: Bucket) =>
  lifecycle === undefined
    ? []
    : childrenOf(parseXml(lifecycle, 'LifecycleConfiguration'), 'Rule')
        .filter(rule => childText(rule, 'Status') === 'Enabled')
        .map(readRule)

function isOver(rule: Rule, key: string, object: StoredObject, now: number): boolean {
  const fits =
    key.startsWith(rule.prefix) &&
    object.size > rule.least &&
    object.size < rule.most &&
    rule.tags.every(([name, value]) => Object.hasOwn(object.tags, name) && object.tags[name] === value)
  const byAge = rule.days !== undefined && now >= midnightAfter(object.modified, rule.days)
  return fits && (byAge || (rule.date !== undefined && now >= rule.date))
}

/** Deletes what the buckets' lifecycle rules say is over: objects and unfinished uploads. */
export function applyLifecycles(store: Store): void {
  const now = store.now()
  for (const bucket of store.buckets()) {
    const rules = rulesOf(bucket)
    const expiring = rules.filter(rule => rule.days !== undefined || rule.date !== undefined)
    if (expiring.length) {
      const rows = store.database.all<{ key: Uint8Array; object: string }>(
        'SELECT key, object FROM objects WHERE bucket = ? AND modified <= ?',
        ...[
          bucket.name,
          expiring.some(rule => rule.date !== undefined)
            ? now
            : now - Math.min(...expiring.map(rule => rule.days!)) * DAY,
        ],
      )
      for (const row of rows) {
        const key = Buffer.from(row.key).toString()
        const object = JSON.parse(row.object) as StoredObject
        if (expiring.some(rule => isOver(rule, key, object, now))) store.remove(bucket.name, key)
      }
    }
    for (const upload of store.uploads(bucket.name))
      if (
        rules.some(
          ({ prefix, abortDays }) =>
            abortDays !== undefined && upload.key.startsWith(prefix) && now >= midnightAfter(upload.started, abortDays),
        )
      )
        store.abort(upload)
  }
}
