import { waitBeforeAttempt } from './answer-queue.ts'
import { SendFailure } from './answer-sync.ts'

/** A file on its way to the server. It stays on the device until the server has it. */
export type KeptFile = Readonly<{
  /** The server stores a file once under this ID, however often it is sent. */
  id: string
  question: string
  name: string
  type: string
  file: Blob
  /** It is part of the answer to a file question, not evidence. */
  isAnswer: boolean
  /** Its place among the files of this device. */
  order: number
  state: 'waiting' | 'refused'
  /** Why the server refused it. */
  message?: string
}>

type NewFile = Pick<KeptFile, 'question' | 'name' | 'type' | 'file' | 'isAnswer'>

/** What the queue needs from its surroundings. Tests replace all of it. */
export type FileParts<Stored> = {
  /** Keeps files on this device; null if the browser doesn't allow that. */
  store: { put: (file: KeptFile) => Promise<void>; remove: (id: string) => Promise<void> } | null
  /** Sends a file. `onPercent`: how much of it was sent. @throws SendFailure */
  send: (
    file: KeptFile,
    options: { signal: AbortSignal; onPercent: (percent: number) => void },
  ) => Promise<Stored>
  /** The server has a file. It is removed from the device after this. */
  onStored: (file: KeptFile, stored: Stored) => Promise<void>
  newId: () => string
  /** 0 to 1. */
  random: () => number
  /** Runs once after a time; returns how to cancel it. */
  after: (ms: number, work: () => void) => () => void
}

export type FilesState = Readonly<{
  files: readonly KeptFile[]
  /** The file that is being sent. */
  sending: Readonly<{ id: string; percent: number }> | null
  /** False if a file is in memory only, so that the page must stay open until it is sent. */
  isKept: boolean
}>

/** Sends the files of one target one after the other, and again after a lost connection or a restart. */
export class FileSync<Stored> {
  readonly #parts: FileParts<Stored>
  readonly #listeners = new Set<() => void>()
  readonly #ended = new AbortController()
  #state: FilesState
  #running: Promise<void> | null = null
  #failures = 0
  #cancelRetry: (() => void) | null = null

  constructor(parts: FileParts<Stored>, kept: readonly KeptFile[]) {
    this.#parts = parts
    const files = kept.toSorted((one, other) => one.order - other.order)
    this.#state = { files, sending: null, isKept: true }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly state = (): FilesState => this.#state

  /** Keeps files on the device, and sends them. */
  async add(added: readonly NewFile[]): Promise<void> {
    const last = Math.max(0, ...this.#state.files.map(({ order }) => order))
    const files = added.map((one, at): KeptFile => ({
      ...one,
      id: this.#parts.newId(),
      order: last + 1 + at,
      state: 'waiting',
    }))
    this.#set({ files: [...this.#state.files, ...files] })
    await Promise.all(files.map((file) => this.#keep(file)))
    await this.flush()
  }

  /** Gives up a file. One that arrived meanwhile stays on the server. */
  async remove(id: string): Promise<void> {
    this.#set({ files: this.#state.files.filter((one) => one.id !== id) })
    await this.#parts.store?.remove(id)
  }

  /** Sends a refused file again. */
  async retryFile(id: string): Promise<void> {
    const found = this.#state.files.find((one) => one.id === id)
    if (found === undefined) return
    const { message: _, ...file } = found
    await this.#replace({ ...file, state: 'waiting' })
    await this.flush()
  }

  /** The connection is back: tries again at once. */
  retry(): Promise<void> {
    this.#failures = 0
    return this.flush()
  }

  /** Sends what waits. */
  flush(): Promise<void> {
    this.#running ??= this.#sendAll().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  countWaiting(): number {
    return this.#state.files.filter(({ state }) => state === 'waiting').length
  }

  /** Ends sending. What is on the device stays there, for the page that opens it next. */
  stop(): void {
    this.#cancelRetry?.()
    this.#ended.abort()
    this.#listeners.clear()
  }

  async #sendAll(): Promise<void> {
    this.#cancelRetry?.()
    this.#cancelRetry = null
    const { signal } = this.#ended
    for (;;) {
      const file = this.#state.files.find(({ state }) => state === 'waiting')
      if (file === undefined || signal.aborted) return
      try {
        // One after the other: a slow connection finishes at least some of them.
        // oxlint-disable-next-line no-await-in-loop
        await this.#sendOne(file, signal)
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof SendFailure)) throw error
        if (error.kind !== 'blocked') return this.#waitAfter(error)
        // oxlint-disable-next-line no-await-in-loop
        await this.#replace({ ...file, state: 'refused', message: error.message })
      } finally {
        this.#set({ sending: null })
      }
    }
  }

  async #sendOne(file: KeptFile, signal: AbortSignal): Promise<void> {
    this.#set({ sending: { id: file.id, percent: 0 } })
    const stored = await this.#parts.send(file, {
      signal,
      onPercent: (percent) => this.#set({ sending: { id: file.id, percent } }),
    })
    this.#failures = 0
    // Another page may have opened these files.
    if (signal.aborted) return
    // A file that was removed while it was sent isn't put into the answer.
    if (this.#state.files.some(({ id }) => id === file.id)) await this.#parts.onStored(file, stored)
    await this.remove(file.id)
  }

  #waitAfter({ kind }: SendFailure): void {
    this.#failures += 1
    if (kind !== 'away') return
    const wait = waitBeforeAttempt(this.#failures, this.#parts.random())
    this.#cancelRetry = this.#parts.after(wait, () => void this.flush())
  }

  async #replace(file: KeptFile): Promise<void> {
    if (!this.#state.files.some(({ id }) => id === file.id)) return
    this.#set({ files: this.#state.files.map((one) => (one.id === file.id ? file : one)) })
    await this.#keep(file)
  }

  async #keep(file: KeptFile): Promise<void> {
    const { store } = this.#parts
    try {
      if (store === null) throw new Error('This browser keeps nothing.')
      await store.put(file)
    } catch {
      // The disk may be full. The file is sent all the same, and the page says that it must stay open.
      this.#set({ isKept: false })
    }
  }

  #set(change: Partial<FilesState>): void {
    this.#state = { ...this.#state, ...change }
    if (this.#state.files.length === 0 && !this.#state.isKept) this.#state = { ...this.#state, isKept: true }
    for (const listener of this.#listeners) listener()
  }
}
