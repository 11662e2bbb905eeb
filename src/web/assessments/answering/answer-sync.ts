import {
  applyResults,
  type Cell,
  cellKey,
  type Change,
  type Choice,
  countWaiting,
  enqueue,
  learn,
  LONGEST_TYPING_MS,
  markSent,
  nextBatch,
  PAUSE_MS,
  type Queue,
  type Result,
  type SentValue,
  resolveConflict,
  stateOf,
  waitBeforeAttempt,
} from './answer-queue.ts'

/**
 * Why changes were not sent. `away`: no connection or a server error, they are sent again by themselves. `ended`: the
 * session is over. `blocked`: the server doesn't take answers of this target anymore.
 */
export class SendFailure extends Error {
  readonly kind: 'away' | 'ended' | 'blocked'

  constructor(kind: SendFailure['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

/** What the queue needs from its surroundings. Tests replace all of it. */
export type SyncParts = {
  /** Keeps changes on this device; null if the browser doesn't allow that. */
  store: { write: (put: readonly Change[], removed: readonly string[]) => Promise<void> } | null
  /** Sends changes and returns their results, in any order. @throws SendFailure */
  send: (changes: readonly Change[], options: { keepalive: boolean }) => Promise<readonly Result[]>
  now: () => number
  newId: () => string
  /** 0 to 1. */
  random: () => number
  /** Runs once after a time; returns how to cancel it. */
  after: (ms: number, work: () => void) => () => void
}

/** Everything that the screen shows about the answers on their way. */
export type SyncState = Readonly<{
  queue: Queue
  /** What is written to this device, by ID. */
  kept: ReadonlyMap<string, Change>
  lastSentAt: number | null
  problem: Readonly<{ kind: SendFailure['kind']; message: string }> | null
  /** False if this device can't keep answers, so that the page must stay open until they are sent. */
  isKept: boolean
}>

/**
 * Sends the answers of one target: each value is kept on the device at once, and sent, once typing pauses, until the server
 * confirms it. Nothing is removed from the device before that.
 */
export class AnswerSync {
  readonly #parts: SyncParts
  readonly #listeners = new Set<() => void>()
  #state: SyncState
  #isSending = false
  #isStopped = false
  /** The cells whose value was typed less than a pause ago: they are not sent yet. */
  readonly #typing = new Set<string>()
  #typingSince: number | null = null
  #failures = 0
  #cancelPause: (() => void) | null = null
  #cancelRetry: (() => void) | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: SyncParts, queue: Queue) {
    this.#parts = parts
    const isKept = parts.store !== null
    // At first nothing is known to be on the device, so that what was held in memory is written too.
    this.#state = { queue, kept: new Map(), lastSentAt: null, problem: null, isKept }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly state = (): SyncState => this.#state

  /** A value was typed or chosen. `source`: the target whose offered answer it is. */
  type(cell: Cell, value: SentValue, source?: string): void {
    const now = this.#parts.now()
    this.#typing.add(cellKey(cell))
    this.#set({
      queue: enqueue(this.#state.queue, cell, { id: this.#parts.newId(), value, at: now, source }),
    })
    void this.#keep()
    this.#cancelPause?.()
    this.#typingSince ??= now
    const pause = Math.max(0, Math.min(PAUSE_MS, this.#typingSince + LONGEST_TYPING_MS - now))
    this.#cancelPause = this.#parts.after(pause, () => void this.flush())
  }

  /** Sends what was typed, also if typing has not paused. With `keepalive` while the page is being closed. */
  async flush({ keepalive = false }: { keepalive?: boolean } = {}): Promise<void> {
    const kept = this.keepTyped()
    // While the page closes there may be no time to wait for the device: the request must start right away.
    if (!keepalive) await kept
    await this.#send({ keepalive })
  }

  /** Waits until what was typed is on the device, without sending it. */
  keepTyped(): Promise<void> {
    this.#cancelPause?.()
    this.#cancelPause = null
    this.#typingSince = null
    this.#typing.clear()
    return this.#keep()
  }

  /** Takes the revisions of answers that were read again. */
  learn(revs: ReadonlyMap<string, number>): void {
    const queue = learn(this.#state.queue, revs)
    if (queue !== this.#state.queue) this.#set({ queue })
  }

  /** The connection is back, or a new session began: tries again at once. */
  async retry(): Promise<void> {
    this.#failures = 0
    this.#cancelRetry?.()
    this.#cancelRetry = null
    this.#set({ problem: null })
    await this.flush()
  }

  /** Gives up a value that the server refused. */
  async drop(question: string): Promise<void> {
    const { queue } = this.#state
    const changes = queue.changes.filter((one) => one.question !== question || one.state !== 'refused')
    this.#set({ queue: { ...queue, changes } })
    await this.#keep()
  }

  /** Chooses between two values of one answer. */
  async resolveConflict(conflictId: string, choice: Choice): Promise<void> {
    this.#set({ queue: resolveConflict(this.#state.queue, conflictId, choice, this.#parts.newId()) })
    await this.flush()
  }

  /** How many answers wait to be sent. */
  countWaiting(): number {
    return countWaiting(this.#state.queue)
  }

  /** Ends timers, sending and writing. What is on the device stays there, for the page that opens it next. */
  stop(): void {
    this.#isStopped = true
    this.#cancelPause?.()
    this.#cancelRetry?.()
    this.#listeners.clear()
  }

  async #send({ keepalive }: { keepalive: boolean }): Promise<void> {
    // While the page closes, a request on its way may be cut off: everything is sent once more.
    if (this.#isStopped || (this.#isSending && !keepalive)) return
    const batch = nextBatch(this.#state.queue, this.#typing)
    if (batch.length === 0) return
    this.#isSending = true
    this.#cancelRetry?.()
    try {
      this.#set({ queue: markSent(this.#state.queue, new Set(batch.map(({ id }) => id))) })
      const kept = this.#keep()
      // Otherwise a value could arrive under an ID that this device doesn't know after a crash.
      if (!keepalive) await kept
      const results = await this.#parts.send(batch, { keepalive })
      this.#failures = 0
      this.#set({
        queue: applyResults(this.#state.queue, results),
        lastSentAt: this.#parts.now(),
        problem: null,
      })
      await this.#keep()
    } catch (error) {
      if (!(error instanceof SendFailure)) throw error
      this.#failures += 1
      this.#set({ problem: { kind: error.kind, message: error.message } })
      if (error.kind === 'away') {
        const wait = waitBeforeAttempt(this.#failures, this.#parts.random())
        this.#cancelRetry = this.#parts.after(wait, () => void this.flush())
      }
      return
    } finally {
      this.#isSending = false
    }
    await this.#send({ keepalive })
  }

  /** Writes the differences to the device, one write after the other. */
  #keep(): Promise<void> {
    const { store } = this.#parts
    if (store === null) return Promise.resolve()
    this.#writing = this.#writing.then(async () => {
      // Another page may have opened these changes.
      if (this.#isStopped) return
      const now = new Map(this.#state.queue.changes.map((change) => [change.id, change]))
      const { kept } = this.#state
      const put = [...now.values()].filter((change) => kept.get(change.id) !== change)
      const removed = [...kept.keys()].filter((id) => !now.has(id))
      if (put.length === 0 && removed.length === 0) return
      try {
        await store.write(put, removed)
        this.#set({ kept: now, isKept: true })
      } catch {
        // The disk may be full, or the browser may not allow it. The answers are sent all the same, and the page says so.
        this.#set({ isKept: false })
      }
    })
    return this.#writing
  }

  #set(change: Partial<SyncState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/**
 * Where an answer is. `conflict`, `refused`: a person must decide. `typed`: on this page only. `kept`: on this device, on its way
 * to the server. `saved`: nothing of it waits.
 */
export type AnswerPlace = 'conflict' | 'refused' | 'typed' | 'kept' | 'saved'
export function placeOf({ queue, kept }: Pick<SyncState, 'queue' | 'kept'>, question: string): AnswerPlace {
  const state = stateOf(queue, question)
  if (state === 'conflict' || state === 'refused' || state === 'saved') return state
  const own = queue.changes.filter((one) => one.question === question)
  return own.every((one) => kept.get(one.id) === one) ? 'kept' : 'typed'
}

/** The questions whose answers a person must decide about: two versions, or one that the server refused. */
export function questionsInNeed({ queue }: Pick<SyncState, 'queue'>): readonly string[] {
  const open = queue.changes.filter(({ state }) => state === 'conflict' || state === 'refused')
  return [...new Set(open.map(({ question }) => question))]
}
