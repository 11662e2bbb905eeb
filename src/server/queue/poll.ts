/** How often every server looks for due work, in milliseconds. */
export const LOOK_MS = 5_000

/**
 * Looks for due work every five seconds, such as jobs whose server was killed. Leases decide which server gets it, so all
 * servers can look.
 */
export function lookRegularly(
  looks: readonly (() => void)[],
  everyMs: number = LOOK_MS,
): { stop: () => void } {
  const timer = setInterval(() => {
    for (const look of looks) look()
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
