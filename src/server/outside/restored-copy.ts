import { RESTORED_COPY } from '#contract/restored-copy.ts'
import { conflict } from '#server/http/failure.ts'

type ReadState = () => Promise<boolean>

/** The installations that this process serves: one, except in tests. */
const installations = new Set<ReadState>()

/**
 * Lets everything that leaves this process ask whether its installation is a restored copy, which neither sends nor fetches
 * anything. Asked each time, so that other processes begin as soon as an operator says that it is the real one.
 * @returns ends it.
 */
export function guardOutgoing(isCopy: ReadState): () => void {
  installations.add(isCopy)
  return () => void installations.delete(isCopy)
}

/** Whether nothing may leave now. Fails while the database is away: what can't be checked doesn't leave. */
export async function isRestoredCopy(): Promise<boolean> {
  const answers = await Promise.all([...installations].map((read) => read()))
  return answers.includes(true)
}

/**
 * Every connection to someone else's server passes here first: emails, webhooks, files, photos and name servers.
 * `restored-copy.test.ts` lists the files that can connect.
 * @throws Failure 409 in a restored copy
 */
export async function requireOutgoing(): Promise<void> {
  if (await isRestoredCopy()) throw conflict(RESTORED_COPY)
}
