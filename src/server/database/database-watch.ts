import pg from 'pg'
import { Failure } from '#server/http/failure.ts'
import { isDatabaseUnavailable } from './faults.ts'

/** Work that takes longer makes this process ask whether the database still answers, in milliseconds. */
const SLOW_MS = 2_000
/** How long that question may take. */
const ASK_MS = 3_000
/** How often it is asked again while the database is away. */
const AGAIN_MS = 1_000

/** Whether the database answers, as this process sees it. */
export type DatabaseWatch = Readonly<{
  isAway: () => boolean
  /**
   * Runs work that needs the database. While the database is away, nothing is tried, so that callers who have something else to
   * offer don't wait. Work that was given up may still be committed.
   * @throws DatabaseAway as soon as the database doesn't answer; otherwise what `work` throws
   */
  attempt: <T>(work: () => Promise<T>) => Promise<T>
  /** Calls the listener each time the database answers again. */
  onBack: (listener: () => void) => void
  stop: () => void
}>

/** The database can't be reached or doesn't answer. */
export class DatabaseAway extends Failure {
  constructor() {
    super(503, 'The database does not answer.', { retryAfterSeconds: 5 })
  }
}

/** Whether an error says that the database is away, and not that the work was wrong. */
export const isAway = (error: unknown): boolean =>
  error instanceof DatabaseAway || isDatabaseUnavailable(error)

/** `ask`: one question to the database; it throws if there is no answer. */
export function watchDatabase(ask: () => Promise<void>): DatabaseWatch {
  const listeners: (() => void)[] = []
  /** Rejects when the database goes away. */
  let leaving = Promise.withResolvers<never>()
  leaving.promise.catch(() => {})
  let asking: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let isGone = false
  let isStopped = false

  const answered = (): void => {
    if (!isGone) return
    isGone = false
    leaving = Promise.withResolvers<never>()
    leaving.promise.catch(() => {})
    for (const listener of listeners) listener()
  }
  const left = (): void => {
    if (!isGone) leaving.reject(new DatabaseAway())
    isGone = true
    if (isStopped) return
    timer = setTimeout(() => void check(), AGAIN_MS)
    timer.unref()
  }
  const check = (): Promise<void> => {
    asking ??= ask()
      .then(answered, left)
      .finally(() => {
        asking = null
      })
    return asking
  }

  return {
    isAway: () => isGone,
    async attempt(work) {
      if (isGone) throw new DatabaseAway()
      const slow = setTimeout(() => void check(), SLOW_MS)
      slow.unref()
      try {
        return await Promise.race([work(), leaving.promise])
      } catch (error) {
        if (isDatabaseUnavailable(error)) void check()
        throw error
      } finally {
        clearTimeout(slow)
      }
    },
    onBack: (listener) => void listeners.push(listener),
    stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Asks on a connection of its own: a full pool is not an outage. */
export function askDatabase(pool: pg.Pool): () => Promise<void> {
  const { options } = pool
  return async () => {
    const client = new pg.Client({
      ...options,
      // The pool hides it from copies.
      ...(options.password !== undefined && { password: options.password }),
      connectionTimeoutMillis: ASK_MS,
      query_timeout: ASK_MS,
      keepAlive: false,
    }).on('error', () => {})
    try {
      await client.connect()
      await client.query('select')
    } finally {
      // A server that doesn't answer doesn't confirm the end either.
      void client.end().catch(() => {})
    }
  }
}
