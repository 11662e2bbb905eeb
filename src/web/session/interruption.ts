/**
 * A session that was ended elsewhere while the user had unsaved changes. It waits for them to sign in again.
 */
export class Interruption {
  readonly isRemembered: boolean
  /** Resolves when the user has signed in again or left. */
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
