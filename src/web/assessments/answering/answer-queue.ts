/** A value as it is sent; null clears the answer. */
export type SentValue = unknown

/** A question, or a row of its table; the row is empty for the whole question. */
export type Cell = Readonly<{ question: string; row: string }>

/** The answer that the server has. */
export type ServerAnswer = Readonly<{ value: SentValue; rev: number; by: string; at: string }>

/**
 * A change of one answer on its way to the server. `isSent`: it may have arrived, so its value never changes, and it is
 * sent again under the same ID. `base`: the revision it changes; null while an earlier change of the same answer is on its way.
 */
export type Change = Cell &
  Readonly<{
    id: string
    base: number | null
    value: SentValue
    /** When it was typed, in milliseconds. */
    at: number
    /** Its place among the changes of this device. */
    order: number
    state: 'waiting' | 'sent' | 'conflict' | 'refused'
    /** The answer that someone else saved meanwhile. */
    current?: ServerAnswer
    /** Why the server refused it. */
    message?: string
    /** The target whose offered answer it is. */
    source?: string | undefined
  }>

export type Result = Readonly<
  | { id: string; kind: 'accepted'; rev: number }
  | { id: string; kind: 'conflict'; current: ServerAnswer }
  | { id: string; kind: 'refused'; message: string }
>

/** The changes of one target that are not on the server yet, and the revisions known of its answers. */
export type Queue = Readonly<{ changes: readonly Change[]; revs: ReadonlyMap<string, number> }>

/** How long typing must pause before a value is sent. */
export const PAUSE_MS = 600
/** Without a pause, what was typed is sent after this time. */
export const LONGEST_TYPING_MS = 3_000
/** The most changes in one request. It stays below the 64 kB that a browser sends while a page closes. */
const BATCH = 25
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

export const cellKey = ({ question, row }: Cell): string => `${question}\u0000${row}`

/**
 * A queue from what was kept on this device, and the revisions of the answers that the server just sent. A change that
 * waited may have been sent while the page closed: its value must not change anymore.
 */
export function openQueue(kept: readonly Change[], revs: ReadonlyMap<string, number>): Queue {
  const changes = kept
    .toSorted((one, other) => one.order - other.order)
    .map((one) => (one.state === 'waiting' && one.base !== null ? { ...one, state: 'sent' as const } : one))
  return { changes, revs }
}

/**
 * Adds a value that was typed. It replaces a value of the same answer that was not sent yet; one that may have arrived goes
 * first. An open conflict stays open with the new value.
 */
export function enqueue(
  queue: Queue,
  cell: Cell,
  typed: { id: string; value: SentValue; at: number; source?: string | undefined },
): Queue {
  const key = cellKey(cell)
  const own = queue.changes.filter((change) => cellKey(change) === key)
  const open = own.find(({ state }) => state === 'waiting' || state === 'conflict')
  if (open !== undefined) {
    return replace(queue, open.id, { ...open, value: typed.value, at: typed.at, source: typed.source })
  }
  const hasSent = own.some(({ state }) => state === 'sent')
  const order = Math.max(0, ...queue.changes.map((change) => change.order)) + 1
  const added: Change = {
    question: cell.question,
    row: cell.row,
    ...typed,
    base: hasSent ? null : (queue.revs.get(key) ?? 0),
    order,
    state: 'waiting',
  }
  return {
    ...queue,
    changes: [...queue.changes.filter((one) => cellKey(one) !== key || one.state === 'sent'), added],
  }
}

/**
 * Takes newer revisions, after the answers were read again. An answer with a change on its way keeps the revision that its
 * change was made from, so that the server notices the difference.
 */
export function learn(queue: Queue, revs: ReadonlyMap<string, number>): Queue {
  const busy = new Set(queue.changes.filter(({ state }) => state !== 'refused').map(cellKey))
  const newer = [...revs].filter(([key, rev]) => !busy.has(key) && rev > (queue.revs.get(key) ?? 0))
  return newer.length === 0 ? queue : { ...queue, revs: new Map([...queue.revs, ...newer]) }
}

/**
 * The changes to send next, one of each answer: first those that may have arrived, so that their responses are known.
 * `typing`: the cells that wait for a pause in typing.
 */
export function nextBatch({ changes }: Queue, typing: ReadonlySet<string>): readonly Change[] {
  const sent = changes.filter(({ state }) => state === 'sent')
  const busy = new Set(sent.map(cellKey))
  const waiting = changes.filter(
    (one) =>
      one.state === 'waiting' && !busy.has(cellKey(one)) && !typing.has(cellKey(one)) && one.base !== null,
  )
  return [...sent, ...waiting].slice(0, BATCH)
}

/** Marks changes as possibly arrived. Must be kept on the device before the request starts. */
export function markSent(queue: Queue, ids: ReadonlySet<string>): Queue {
  return {
    ...queue,
    changes: queue.changes.map((one) =>
      ids.has(one.id) && one.state === 'waiting' ? { ...one, state: 'sent' } : one,
    ),
  }
}

/** Takes the responses. One that is already known, because it arrived twice or late, changes nothing. */
export function applyResults(queue: Queue, results: readonly Result[]): Queue {
  return results.reduce(applyResult, queue)
}

function applyResult(queue: Queue, result: Result): Queue {
  const change = queue.changes.find(({ id, state }) => id === result.id && state === 'sent')
  if (change === undefined) return queue
  const next = queue.changes.find((one) => cellKey(one) === cellKey(change) && one.base === null)
  const without = queue.changes.filter((one) => one !== change && one !== next)
  if (result.kind === 'accepted') {
    const revs = new Map(queue.revs).set(cellKey(change), result.rev)
    return { revs, changes: next === undefined ? without : [...without, { ...next, base: result.rev }] }
  }
  // A value typed meanwhile takes the place of the one that was not accepted.
  const open = next ?? change
  if (result.kind === 'refused') {
    const base = change.base ?? 0
    const kept: Change =
      next === undefined
        ? { ...change, state: 'refused', message: result.message }
        : { ...next, base, state: 'waiting' }
    return { ...queue, changes: [...without, kept] }
  }
  const revs = new Map(queue.revs).set(cellKey(change), result.current.rev)
  return { revs, changes: [...without, { ...open, state: 'conflict', current: result.current }] }
}

/** What to do with two values of one answer. `both`: a value that contains both. */
export type Choice = { kind: 'mine' } | { kind: 'theirs' } | { kind: 'both'; value: SentValue }

/** Settles a conflict. With `id`, the ID under which the chosen value is sent. */
export function resolveConflict(queue: Queue, conflictId: string, choice: Choice, id: string): Queue {
  const change = queue.changes.find((one) => one.id === conflictId && one.state === 'conflict')
  if (change?.current === undefined) return queue
  if (choice.kind === 'theirs') {
    return { ...queue, changes: queue.changes.filter((one) => one !== change) }
  }
  const { current, ...rest } = change
  const value = choice.kind === 'both' ? choice.value : change.value
  return replace(queue, conflictId, { ...rest, id, value, base: current.rev, state: 'waiting' })
}

/** Both values as one answer: texts below each other, choices together; null if the type can't hold two. */
export function combine(type: string, theirs: SentValue, mine: SentValue): { value: SentValue } | null {
  if ((type === 'text' || type === 'longText') && typeof theirs === 'string' && typeof mine === 'string') {
    return { value: `${theirs}${type === 'longText' ? '\n' : ' / '}${mine}` }
  }
  if (type !== 'multiple' || !Array.isArray(theirs) || !Array.isArray(mine)) return null
  const texts = new Set(theirs.map((one) => JSON.stringify(one)))
  return { value: [...theirs, ...mine.filter((one: unknown) => !texts.has(JSON.stringify(one)))] }
}

/** Where an answer is: on this device, in conflict, refused, or on the server. */
export function stateOf({ changes }: Queue, question: string): Change['state'] | 'saved' {
  const states = new Set(changes.filter((one) => one.question === question).map(({ state }) => state))
  for (const state of ['conflict', 'refused', 'waiting', 'sent'] as const) if (states.has(state)) return state
  return 'saved'
}

/** Changes that wait to be sent. Conflicts wait for a person instead. */
export function countWaiting({ changes }: Queue): number {
  return new Set(changes.filter(({ state }) => state === 'waiting' || state === 'sent').map(cellKey)).size
}

/** How long to wait after failed attempts: 1 s, 2 s, 4 s, at most a minute; `random` (0 to 1) spreads many devices. */
export function waitBeforeAttempt(failures: number, random: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1))
  return Math.round(longest / 2 + (longest / 2) * random)
}

function replace(queue: Queue, id: string, by: Change): Queue {
  return { ...queue, changes: queue.changes.map((one) => (one.id === id ? by : one)) }
}
