import { randomUUID } from 'node:crypto'
import { type Database, openDatabase } from '../aws/database.ts'
import { AwsError } from '../aws/errors.ts'
import { isFifo, type Queue, redriveOf, setting } from './attributes.ts'
import { watchFairness } from './fairness.ts'
import { checkMessage, type Message } from './message.ts'

// Times are in milliseconds. `receipt` is set while the message is out with its latest receiver; a message sent in a
// duplicate has two rows with one id.
const schema = `
  CREATE TABLE IF NOT EXISTS queues (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE NOT NULL, definition TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, queue INTEGER NOT NULL, id TEXT NOT NULL, message TEXT NOT NULL,
    grp TEXT, dedup TEXT, sender TEXT NOT NULL, sent INTEGER NOT NULL, visible INTEGER NOT NULL,
    received INTEGER NOT NULL, first INTEGER, receipt TEXT, origin TEXT
  );
  CREATE INDEX IF NOT EXISTS by_visibility ON messages (queue, visible);
  CREATE INDEX IF NOT EXISTS by_group ON messages (queue, grp, visible) WHERE grp IS NOT NULL;
  CREATE TABLE IF NOT EXISTS duplicates (
    queue INTEGER NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL, expires INTEGER NOT NULL,
    PRIMARY KEY (queue, key)
  );
`
const FIVE_MINUTES = 300_000

/** A message as it is kept. */
export interface Row {
  seq: number
  queue: number
  id: string
  message: string
  grp: string | null
  dedup: string | null
  sender: string
  sent: number
  visible: number
  received: number
  first: number | null
  receipt: string | null
  origin: string | null
}

/** How many messages can be received, are out with a receiver, and wait for their delay to pass. */
interface Counts {
  visible: number
  inFlight: number
  delayed: number
}

/** Where queues and messages are kept, and who waits for them. */
export interface Store {
  database: Database
  now: () => number
  queues: () => Queue[]
  find(name: string): Queue | undefined
  byArn(arn: string): Queue | undefined
  create(queue: Omit<Queue, 'id'>): Queue
  save(queue: Queue): void
  remove(queue: Queue): void
  purge(queue: Queue): void
  send(queue: Queue, message: Message, sender: string, copies: number): { id: string; seq: number }
  /** Takes up to `most` messages that nobody else sees until `timeout` seconds are over; `copies` leaves a copy of each. */
  take(queue: Queue, most: number, timeout: number, options: { reverse?: boolean; copies?: boolean }): Row[]
  /** The message that a receipt stands for, undefined if it was received again since or is gone. */
  held(queue: Queue, receipt: string): Row | undefined
  drop(row: Row): void
  show(queue: Queue, row: Row, visible: number): void
  /** Shows every message that somebody had taken when the process before this one ended. */
  release(): void
  count(queue: Queue): Counts
  move(from: Queue, to: (row: Row) => Queue | undefined): number
  /** Calls back once when a message may have come after the time `since`; the result takes the wish back. */
  whenReady(queue: Queue, since: number, deadline: number, ready: () => void): () => void
}

/** What the methods of a store share: who waits for messages of which queue, and which groups take more than their share. */
type Inside = {
  database: Database
  now: () => number
  queues: Map<number, Queue>
  waiting: Map<number, Set<() => void>>
  fairness: ReturnType<typeof watchFairness>
}

/** Opens the store in a directory. */
export function openStore(directory: string, now: () => number): Store {
  const database = openDatabase(directory, 'sqs.sqlite', schema)
  const rows = database.all<{ id: number; definition: string }>('SELECT id, definition FROM queues')
  const queues = new Map(rows.map(({ id, definition }) => [id, { ...(JSON.parse(definition) as Queue), id }]))
  const inside: Inside = { database, now, queues, waiting: new Map(), fairness: watchFairness(now) }
  return {
    database,
    now,
    ...queuesOf(inside),
    send: (queue, message, sender, copies) => send(inside, queue, message, sender, copies),
    take: (queue, most, timeout, { reverse = false, copies = false }) =>
      take(inside, queue, most, timeout, reverse, copies),
    ...takenOf(inside),
    move: (from, to) => move(inside, from, to),
    whenReady(queue, since, deadline, ready) {
      const sql = 'SELECT min(visible) AS next FROM messages WHERE queue = ? AND visible > ?'
      const { next } = database.get<{ next: number | null }>(sql, queue.id, since)!
      const timer = setTimeout(ready, Math.max(0, Math.min(deadline, next ?? deadline) - now()))
      const set = inside.waiting.get(queue.id) ?? new Set()
      inside.waiting.set(queue.id, set.add(ready))
      return () => {
        clearTimeout(timer)
        set.delete(ready)
      }
    },
  }
}

function wake({ waiting }: Inside, id: number): void {
  for (const ready of [...(waiting.get(id) ?? [])]) ready()
}

const byArn = ({ queues }: Inside, arn: string) => queues.values().find(queue => queue.arn === arn)

/** The methods for queues themselves. */
function queuesOf(inside: Inside) {
  const { database, queues, now } = inside
  const purge = (queue: Queue) => void database.run('DELETE FROM messages WHERE queue = ?', queue.id)
  return {
    queues: () => [...queues.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    find: name => queues.values().find(queue => queue.name === name),
    byArn: arn => byArn(inside, arn),
    create(queue) {
      const sql = 'INSERT INTO queues (name, definition) VALUES (?, ?) RETURNING id'
      const { id } = database.get<{ id: number }>(sql, queue.name, JSON.stringify(queue))!
      queues.set(id, { ...queue, id })
      return queues.get(id)!
    },
    save(queue) {
      database.run('UPDATE queues SET definition = ? WHERE id = ?', JSON.stringify(queue), queue.id)
      queues.set(queue.id, queue)
    },
    remove(queue) {
      database.transaction(() => {
        purge(queue)
        database.run('DELETE FROM duplicates WHERE queue = ?', queue.id)
        database.run('DELETE FROM queues WHERE id = ?', queue.id)
      })
      queues.delete(queue.id)
      wake(inside, queue.id)
    },
    purge,
    count(queue) {
      const sql = `SELECT count(*) FILTER (WHERE visible <= ?1) AS visible,
        count(*) FILTER (WHERE visible > ?1 AND received > 0) AS inFlight,
        count(*) FILTER (WHERE visible > ?1 AND received = 0) AS delayed FROM messages WHERE queue = ?2`
      return database.get<Counts>(sql, now(), queue.id)!
    },
  } satisfies Partial<Store>
}

/** The methods for messages that somebody has taken. */
function takenOf(inside: Inside) {
  const { database, fairness, now } = inside
  return {
    held(queue, receipt) {
      const [id, seq, nonce] = Buffer.from(receipt, 'base64').toString().split(':')
      if (!/^[0-9a-f-]{36}$/.test(nonce ?? '') || Number(id) !== queue.id)
        throw new AwsError('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.', 404)
      return database.get<Row>('SELECT * FROM messages WHERE seq = ? AND receipt = ?', Number(seq), receipt)
    },
    drop(row) {
      database.run('DELETE FROM messages WHERE seq = ?', row.seq)
      fairness.over(row.seq)
      if (row.grp !== null) wake(inside, row.queue)
    },
    show(queue, row, visible) {
      database.run('UPDATE messages SET visible = ? WHERE seq = ?', visible, row.seq)
      if (visible <= now()) fairness.over(row.seq)
      wake(inside, queue.id)
    },
    release: () => void database.run('UPDATE messages SET visible = ?1 WHERE received > 0 AND visible > ?1', now()),
  } satisfies Partial<Store>
}

function send(inside: Inside, queue: Queue, message: Message, sender: string, copies: number) {
  const { database, now } = inside
  const key = checkMessage(queue, message)
  const time = now()
  const result = database.transaction(() => {
    if (key !== undefined) {
      database.run('DELETE FROM duplicates WHERE queue = ? AND expires <= ?', queue.id, time)
      const sql = 'SELECT id, seq FROM duplicates WHERE queue = ? AND key = ?'
      const known = database.get<{ id: string; seq: number }>(sql, queue.id, key)
      if (known) return known
    }
    const id = randomUUID()
    const visible = time + 1000 * (message.DelaySeconds ?? Number(setting(queue, 'DelaySeconds')))
    const group = message.MessageGroupId ?? null
    let seq = 0
    for (let copy = 0; copy < copies; copy++)
      seq = database.get<{ seq: number }>(
        `INSERT INTO messages (queue, id, message, grp, dedup, sender, sent, visible, received)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0) RETURNING seq`,
        ...[queue.id, id, JSON.stringify(message), group, key ?? null, sender, time, visible],
      )!.seq
    if (key !== undefined)
      database.run('INSERT INTO duplicates VALUES (?, ?, ?, ?, ?)', queue.id, key, id, seq, time + FIVE_MINUTES)
    return { id, seq }
  })
  wake(inside, queue.id)
  return result
}

function take(inside: Inside, queue: Queue, most: number, timeout: number, reverse: boolean, copies: boolean): Row[] {
  const { database, now } = inside
  const time = now()
  // Most who wait are woken for nothing, or ask before anything has come.
  if (!database.get('SELECT 1 FROM messages WHERE queue = ? AND visible <= ? LIMIT 1', queue.id, time)) return []
  return database.transaction(() => {
    const oldest = time - 1000 * Number(setting(queue, 'MessageRetentionPeriod'))
    database.run('DELETE FROM messages WHERE queue = ? AND sent <= ?', queue.id, oldest)
    for (;;) {
      const found = candidates(inside, queue, time, most, reverse)
      // Messages that were received too often move on, and may make room for others in this answer.
      if (redriven(inside, queue, found, time)) continue
      return found.map(row => handOut(inside, queue, row, time, timeout, copies))
    }
  })
}

/** What may be received now: of a fair queue, first what groups that take less than others have sent. */
function candidates({ database, fairness }: Inside, queue: Queue, time: number, most: number, reverse: boolean): Row[] {
  if (!isFifo(queue)) {
    const noisy = JSON.stringify(fairness.noisy(queue.id))
    const those = (which: string, limit: number) =>
      database.all<Row>(
        `SELECT * FROM messages WHERE queue = ? AND visible <= ? AND ${which} IN (SELECT value FROM json_each(?))
         ORDER BY seq ${reverse ? 'DESC' : 'ASC'} LIMIT ?`,
        ...[queue.id, time, noisy, limit],
      )
    const quiet = those("coalesce(grp, '') NOT", most)
    return quiet.length < most ? [...quiet, ...those('grp', most - quiet.length)] : quiet
  }
  return database.all<Row>(
    `SELECT * FROM messages AS m WHERE queue = ? AND visible <= ? AND NOT EXISTS
     (SELECT 1 FROM messages WHERE queue = m.queue AND grp = m.grp AND visible > ? AND received > 0) ORDER BY seq LIMIT ?`,
    ...[queue.id, time, time, most],
  )
}

/** Moves what was received too often to the queue for that; whether there was any. */
function redriven(inside: Inside, queue: Queue, found: Row[], time: number): boolean {
  const redrive = redriveOf(queue)
  const target = redrive && byArn(inside, redrive.deadLetterTargetArn)
  if (!target) return false
  const exhausted = found.filter(row => row.received >= redrive.maxReceiveCount)
  for (const row of exhausted) {
    inside.database.run(
      'UPDATE messages SET queue = ?, visible = ?, receipt = NULL, origin = ? WHERE seq = ?',
      ...[target.id, time, queue.arn, row.seq],
    )
    inside.fairness.over(row.seq)
  }
  if (exhausted.length) queueMicrotask(() => wake(inside, target.id))
  return exhausted.length > 0
}

/** Hides a message from everybody but the one who receives it now; with `copies`, a copy of it stays. */
function handOut(inside: Inside, queue: Queue, row: Row, time: number, timeout: number, copies: boolean): Row {
  const { database, fairness } = inside
  if (copies && !isFifo(queue))
    database.run(
      `INSERT INTO messages (queue, id, message, grp, dedup, sender, sent, visible, received, first)
       SELECT queue, id, message, grp, dedup, sender, sent, ?, received, first FROM messages WHERE seq = ?`,
      ...[time, row.seq],
    )
  const receipt = Buffer.from(`${queue.id}:${row.seq}:${randomUUID()}`).toString('base64')
  const sql = `UPDATE messages SET visible = ?, received = received + 1, first = coalesce(first, ?), receipt = ? WHERE seq = ? RETURNING *`
  fairness.over(row.seq)
  fairness.taken(row)
  return database.get<Row>(sql, time + 1000 * timeout, time, receipt, row.seq)!
}

function move(inside: Inside, from: Queue, to: (row: Row) => Queue | undefined): number {
  const { database, now } = inside
  const woken = new Set<number>()
  const found = database.all<Row>('SELECT * FROM messages WHERE queue = ? AND visible <= ?', from.id, now())
  database.transaction(() => {
    for (const row of found) {
      const target = to(row)
      if (!target) continue
      const sql =
        'UPDATE messages SET queue = ?, receipt = NULL, origin = NULL, received = 0, first = NULL, sent = ? WHERE seq = ?'
      database.run(sql, target.id, now(), row.seq)
      woken.add(target.id)
    }
  })
  for (const id of woken) wake(inside, id)
  return found.length
}
