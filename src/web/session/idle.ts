/** Both in seconds, from the server's environment (specification section 9: 1800 and 20). */
export type IdleTimes = Readonly<{ idleSeconds: number; warningSeconds: number }>
export type IdleState = { kind: 'active' } | { kind: 'warning'; secondsLeft: number } | { kind: 'over' }

/**
 * The idle state at a given time. It compares two wall clock times instead of counting ticks: then time
 * asleep counts, and all tabs that share the time of the last activity get the same result.
 */
export function idleState(lastActivity: number, now: number, times: IdleTimes): IdleState {
  const idle = (now - lastActivity) / 1000
  if (idle < times.idleSeconds) return { kind: 'active' }
  const left = times.idleSeconds + times.warningSeconds - idle
  return left > 0 ? { kind: 'warning', secondsLeft: Math.ceil(left) } : { kind: 'over' }
}

/**
 * Events that count as user activity. `visibilitychange` is included because returning to a tab is activity
 * too.
 */
const ACTIVITY_EVENTS = [
  'pointerdown',
  'pointermove',
  'keydown',
  'wheel',
  'touchmove',
  'scroll',
  'visibilitychange',
] as const

/** Calls back on user activity, at most once per `throttleMs`. Returns a function that stops watching. */
export function watchActivity(onActivity: () => void, throttleMs: number): () => void {
  let last = -Infinity
  const handleActivity = () => {
    const now = performance.now()
    if (document.hidden || now - last < throttleMs) return
    last = now
    onActivity()
  }
  const options = { passive: true, capture: true }
  for (const event of ACTIVITY_EVENTS) document.addEventListener(event, handleActivity, options)
  return () => {
    for (const event of ACTIVITY_EVENTS) document.removeEventListener(event, handleActivity, options)
  }
}
