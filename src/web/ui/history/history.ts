/** The states before and after the current one, for undo and redo. `last`: what the newest step changed. */
export type History<T> = Readonly<{ past: readonly T[]; future: readonly T[]; last: string | null }>
export const NO_HISTORY: History<never> = { past: [], future: [], last: null }
const MOST_STEPS = 100

/**
 * Remembers what a change replaces. Consecutive changes with the same `what`, such as keystrokes in one field, are one step;
 * null is always a step of its own.
 */
export function remember<T>(history: History<T>, before: T, what: string | null): History<T> {
  if (what !== null && what === history.last) return { ...history, future: [] }
  return { past: [...history.past, before].slice(-MOST_STEPS), future: [], last: what }
}

/** Goes one step back, or forward. @returns null if there is none */
export function travel<T>(
  history: History<T>,
  now: T,
  to: 'past' | 'future',
): { history: History<T>; change: T } | null {
  const from = to === 'past' ? history.past : history.future
  const change = to === 'past' ? from.at(-1) : from[0]
  if (change === undefined) return null
  return {
    change,
    history:
      to === 'past'
        ? { past: from.slice(0, -1), future: [now, ...history.future], last: null }
        : { past: [...history.past, now], future: from.slice(1), last: null },
  }
}
