/** Without a key or a click for this long, a page that is open is no longer someone at work. */
export const UNUSED_MS = 5 * 60_000

/**
 * Whether a person uses this page. What a page does on its own keeps a session alive on the server, so it must end when no one
 * is there.
 */
export class PageUse {
  readonly #now: () => number
  #usedAt: number

  constructor(now: () => number = Date.now) {
    this.#now = now
    this.#usedAt = now()
  }

  /** Someone pressed a key, clicked or came back. */
  readonly note = (): void => {
    this.#usedAt = this.#now()
  }

  isUsed(): boolean {
    return this.#now() - this.#usedAt <= UNUSED_MS
  }

  /** Follows keys, clicks and touches; `onUse` runs with each of them. Returns how to stop. */
  follow(onUse: () => void = () => undefined): () => void {
    const use = () => {
      this.note()
      onUse()
    }
    document.addEventListener('keydown', use)
    document.addEventListener('pointerdown', use)
    return () => {
      document.removeEventListener('keydown', use)
      document.removeEventListener('pointerdown', use)
    }
  }
}
