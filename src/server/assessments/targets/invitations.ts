import type { Database } from '#server/database/tenant-transaction.ts'

type InTenant = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/** Emails with links to people without an account. `participants` makes them; assessments only say when they are due. */
export type Invitations = Readonly<{
  /** To the people of an assessment who have no invitation yet: after it was opened. */
  inviteWaiting: (inTenant: InTenant, of: { assessmentId: string; byName: string }) => Promise<void>
  /**
   * To the owner and contributors of a target that was returned to them, and to those to whom a part of it was delegated: `reason` why
   * it was reopened, null if a reviewer asks for changes, of which `delegates` have some in their part. Their former links are used up.
   */
  mailReturned: (
    inTenant: InTenant,
    of: { targetId: string; byName: string; reason: string | null; delegates?: readonly string[] },
  ) => Promise<void>
  /** To these people of targets. @throws Failure 404 if none of them exists. */
  invite: (inTenant: InTenant, of: { ids: readonly string[]; byName: string }) => Promise<void>
  /** Reminders, each from the person's own sender and in their own language. */
  remind: (inTenant: InTenant, people: readonly { id: string; byName: string }[]) => Promise<void>
}>
