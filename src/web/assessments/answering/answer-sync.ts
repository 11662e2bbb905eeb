import {
  applyResults,
  type Cell,
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
  /** Values that were typed less than a pause ago. */
  typing: ReadonlyMap<string, Cell & { value: SentValue; at: number; source?: string | undefined }>
  lastSentAt: number | null
  problem: Readonly<{ kind: SendFailure['kind']; message: string }> | null
  /** False if this device can't keep answers, so that the page must stay open until they are sent. */
  isKept: boolean
}>

/**
 * Sends the answers of one target: each value is queued when typing pauses, kept on the device, and sent until the server
 * confirms it. Nothing is removed from the device before that.
 */
export class AnswerSync {
  readonly #parts: SyncParts
  readonly #listeners = new Set<() => void>()
  #state: SyncState
  /** What this page has written to the device: at first nothing, so that what was held in memory is written too. */
  #kept: ReadonlyMap<string, Change> = new Map()
  #isSending = false
  #isStopped = false
  #typingSince: number | null = null
  #failures = 0
  #cancelPause: (() => void) | null = null
  #cancelRetry: (() => void) | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: SyncParts, queue: Queue) {
    this.#parts = parts
    this.#state = { queue, typing: new Map(), lastSentAt: null, problem: null, isKept: parts.store !== null }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly state = (): SyncState => this.#state

  /** A value was typed or chosen. `source`: the target whose offered answer it is. */
  type(cell: Cell, value: SentValue, source?: string): void {
    const typing = new Map(this.#state.typing)
    typing.set(`${cell.question}\u0000${cell.row}`, { ...cell, value, source, at: this.#parts.now() })
    this.#set({ typing })
    this.#cancelPause?.()
    const now = this.#parts.now()
    this.#typingSince ??= now
    const pause = Math.max(0, Math.min(PAUSE_MS, this.#typingSince + LONGEST_TYPING_MS - now))
    this.#cancelPause = this.#parts.after(pause, () => void this.flush())
  }

  /** Queues what was typed, keeps it on the device, and sends it. With `keepalive` while the page is being closed. */
  async flush({ keepalive = false }: { keepalive?: boolean } = {}): Promise<void> {
    const kept = this.keepTyped()
    // While the page closes there may be no time to wait for the device: the request must start right away.
    if (!keepalive) await kept
    await this.#send({ keepalive })
  }

  /** Queues what was typed and keeps it on the device, without sending it. */
  keepTyped(): Promise<void> {
    this.#cancelPause?.()
    this.#cancelPause = null
    this.#typingSince = null
    let { queue } = this.#state
    for (const { value, at, source, question, row } of this.#state.typing.values()) {
      queue = enqueue(queue, { question, row }, { id: this.#parts.newId(), value, at, source })
    }
    this.#set({ queue, typing: new Map() })
    return this.#keep()
  }

  /** Takes the revisions of answers that were read again, except of those that are being typed. */
  learn(revs: ReadonlyMap<string, number>): void {
    const settled = new Map([...revs].filter(([key]) => !this.#state.typing.has(key)))
    const queue = learn(this.#state.queue, settled)
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

  /** Chooses between two values of one answer. */
  async resolveConflict(conflictId: string, choice: Choice): Promise<void> {
    this.#set({ queue: resolveConflict(this.#state.queue, conflictId, choice, this.#parts.newId()) })
    await this.flush()
  }

  /** How many answers wait to be sent. */
  countWaiting(): number {
    const queued = new Set(
      this.#state.queue.changes
        .filter(({ state }) => state !== 'refused')
        .map((one) => `${one.question}\u0000${one.row}`),
    )
    const typedOnly = [...this.#state.typing.keys()].filter((key) => !queued.has(key))
    return countWaiting(this.#state.queue) + typedOnly.length
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
    const batch = nextBatch(this.#state.queue)
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
      const put = [...now.values()].filter((change) => this.#kept.get(change.id) !== change)
      const removed = [...this.#kept.keys()].filter((id) => !now.has(id))
      if (put.length === 0 && removed.length === 0) return
      try {
        await store.write(put, removed)
        this.#kept = now
        if (!this.#state.isKept) this.#set({ isKept: true })
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
