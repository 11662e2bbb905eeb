import { isEqual } from '#contract/questions/changes.ts'
import { CallFailure } from '#web/api/failure.ts'
import { mergeChanges, type Versions, type Winner } from '#web/ui/record/merge-changes.ts'

/** `conflict`: another user saved first. Nothing is sent until it is settled. */
type SaveState = 'saved' | 'waiting' | 'saving' | 'failed' | 'conflict'

export type SavedView<D, C> = Readonly<{
  /** As the server has it. */
  stored: D
  /** As it is on the screen. */
  content: C
  state: SaveState
  /** Why the last save failed. */
  message: string | null
  /** In a conflict: what the other user saved, over what both started from (`stored`). */
  theirs: D | null
}>

export type SaverParts<D, C> = Readonly<{
  /** What is saved automatically. */
  contentOf: (stored: D) => C
  /** Saves the content over a version. */
  save: (content: C, version: number) => Promise<D>
  /** The stored document of a conflict; null for other failures. */
  readCurrent: (failure: CallFailure) => D | null
  onSaved: (stored: D) => void
  /** How the content of two users is brought together, if it isn't `mergeChanges`. */
  merge?: (versions: Versions<C>, winner?: Winner) => C
  /** How long nothing must change before a save, and how long a change waits at most. */
  quietMs?: number
  longestMs?: number
}>

const QUIET_MS = 1_500
const LONGEST_MS = 10_000
/** After a failure without an answer from the server. */
const RETRY_MS = 10_000

/**
 * Saves a draft while it is edited: after a pause, one save at a time, always over the version that it started from. What is
 * typed during a save is saved next. A failure keeps everything on the screen.
 */
export class DocumentSaver<D extends Readonly<{ version: number }>, C> {
  #view: SavedView<D, C>
  readonly #parts: SaverParts<D, C>
  readonly #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When the oldest change that isn't sent was made. */
  #waitingSince: number | null = null
  #running: Promise<boolean> | null = null
  /** What was sent without an answer: it may be saved. */
  #unanswered: C | null = null

  constructor(stored: D, parts: SaverParts<D, C>) {
    this.#parts = parts
    this.#view = {
      stored,
      content: this.#parts.contentOf(stored),
      state: 'saved',
      message: null,
      theirs: null,
    }
  }

  readonly view = (): SavedView<D, C> => this.#view
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  get isDirty(): boolean {
    return this.#view.state !== 'saved'
  }

  /** Shows changed content, and saves it after a pause. */
  change(content: C): void {
    const { state } = this.#view
    this.#show({ content, state: state === 'saved' || state === 'failed' ? 'waiting' : state })
    this.#waitingSince ??= Date.now()
    if (state !== 'conflict' && state !== 'saving') this.#schedule()
  }

  /** Saves now. @returns whether everything is saved */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer)
    while (this.isDirty) {
      if (this.#view.state === 'conflict') return false
      this.#running ??= this.#save().finally(() => {
        this.#running = null
      })
      if (!(await this.#running)) return false
    }
    return true
  }

  /** Replaces everything by what another call returned, such as a publication. */
  replace(stored: D): void {
    clearTimeout(this.#timer)
    this.#waitingSince = null
    this.#show({
      stored,
      content: this.#parts.contentOf(stored),
      state: 'saved',
      message: null,
      theirs: null,
    })
  }

  /** The content of a conflict for each winner: the changes of both, which differ where both changed the same. */
  merged(winner: Winner): C {
    const { stored, content, theirs } = this.#view
    const { contentOf, merge = mergeChanges } = this.#parts
    if (theirs === null) return content
    return merge({ base: contentOf(stored), mine: content, theirs: contentOf(theirs) }, winner)
  }

  /** Ends a conflict: with the other user's version, or by saving over it, which keeps what only the other user changed. */
  resolve(how: 'theirs' | 'mine'): void {
    const { theirs } = this.#view
    if (theirs === null) return
    if (how === 'theirs') {
      this.replace(theirs)
      return
    }
    this.#show({ stored: theirs, content: this.merged('mine'), theirs: null, state: 'waiting' })
    void this.flush()
  }

  /** Stops waiting. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    const { quietMs = QUIET_MS, longestMs = LONGEST_MS } = this.#parts
    const waited = Date.now() - (this.#waitingSince ?? Date.now())
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), Math.max(0, Math.min(quietMs, longestMs - waited)))
  }

  async #save(): Promise<boolean> {
    const { content, stored } = this.#view
    this.#waitingSince = null
    this.#show({ state: 'saving' })
    try {
      const saved = await this.#parts.save(content, stored.version)
      this.#unanswered = null
      const isSame = this.#view.content === content
      this.#show({ stored: saved, state: isSame ? 'saved' : 'waiting', message: null })
      this.#parts.onSaved(saved)
      return true
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      this.#fail(failure)
      if (failure.status === 0 || failure.status >= 500) this.#unanswered = content
      return this.#view.state === 'saved' || this.#view.state === 'waiting'
    }
  }

  #fail(failure: CallFailure): void {
    const { contentOf, readCurrent } = this.#parts
    const theirs = readCurrent(failure)
    if (failure.status === 409 && theirs !== null) {
      // The response to an earlier save was lost: what is stored is already ours.
      if (isEqual(contentOf(theirs), this.#view.content)) this.replace(theirs)
      // The same, and more was typed since. Or someone changed the name or another setting, which aren't edited here.
      else if (
        [this.#unanswered, contentOf(this.#view.stored)].some((one) => isEqual(contentOf(theirs), one))
      ) {
        this.#show({ stored: theirs, state: 'waiting' })
        this.#schedule()
      } else this.#show({ state: 'conflict', theirs })
      return
    }
    const [detail = failure.message] = Object.values(failure.fields)
    this.#show({ state: 'failed', message: detail })
    // Without a response, or with a 5xx, the same content may be accepted later.
    if (failure.status === 0 || failure.status >= 500) {
      this.#timer = setTimeout(() => void this.flush(), RETRY_MS)
    }
  }

  #show(change: Partial<SavedView<D, C>>): void {
    this.#view = { ...this.#view, ...change }
    for (const listener of this.#listeners) listener()
  }
}
