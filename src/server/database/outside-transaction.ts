class Outside {
  /** Keeps other objects from having this type. */
  protected readonly isOutside = true
}

/**
 * Proof that its holder runs outside the transaction of a handler. Calls that a rollback can't undo, or that wait for another
 * server, ask for it, so a handler with `db` that makes one does not compile.
 */
export type { Outside }

/**
 * Given to handlers that have no `db` (`http/serve.ts`), to work after a commit (`tenant-transaction.ts`), and to background
 * work (`app.ts`). Nothing else may import it (`test/architecture.test.ts`).
 */
export const OUTSIDE = new Outside()
