/** A session that was ended elsewhere while its person was typing: it waits for them to sign in again. */
export class Interruption {
  readonly isRemembered: boolean
  /** Resolves when the person signed in again, or gave up. */
  readonly over: Promise<void>
  #end = (): void => {}

  constructor({ isRemembered }: { isRemembered: boolean }) {
    this.isRemembered = isRemembered
    this.over = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  end(): void {
    this.#end()
  }
}
