/** A lease that is over is noticed by every server this long after it at the latest, in milliseconds. */
export const LOOK_MS = 5_000

/**
 * Looks every five seconds for work that is due. The schedule does so once a minute, on one server; work that a killed
 * server left behind would wait for it. What there is to look at says which work is whose, so all servers may look.
 */
export function lookRegularly(looks: readonly (() => void)[]): { stop: () => void } {
  const timer = setInterval(() => {
    for (const look of looks) look()
  }, LOOK_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
