/** Both in seconds, from the server's environment (specification section 9: 1800 and 20). */
export type IdleTimes = Readonly<{ idleSeconds: number; warningSeconds: number }>
export type IdleState = { kind: 'active' } | { kind: 'warning'; secondsLeft: number } | { kind: 'over' }

/**
 * Where the idle watch stands. It compares two moments of the wall clock instead of counting ticks: sleep
 * counts, and every tab that knows the shared moment of the last activity comes to the same answer.
 */
export function idleState(lastActivity: number, now: number, times: IdleTimes): IdleState {
  const idle = (now - lastActivity) / 1000
  if (idle < times.idleSeconds) return { kind: 'active' }
  const left = times.idleSeconds + times.warningSeconds - idle
  return left > 0 ? { kind: 'warning', secondsLeft: Math.ceil(left) } : { kind: 'over' }
}

/** Events that show a person is there; `visibilitychange` because coming back to a tab is activity too. */
const SIGNS = [
  'pointerdown',
  'pointermove',
  'keydown',
  'wheel',
  'touchmove',
  'scroll',
  'visibilitychange',
] as const

/** Calls back at each sign of a person, at most once in `throttleMs`. Returns how to stop. */
export function watchActivity(onActivity: () => void, throttleMs: number): () => void {
  let last = -Infinity
  const notice = () => {
    const now = performance.now()
    if (document.hidden || now - last < throttleMs) return
    last = now
    onActivity()
  }
  const options = { passive: true, capture: true }
  for (const sign of SIGNS) document.addEventListener(sign, notice, options)
  return () => {
    for (const sign of SIGNS) document.removeEventListener(sign, notice, options)
  }
}
