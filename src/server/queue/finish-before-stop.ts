/** How long running work may take to finish when the server stops, in milliseconds. */
const STOP_MS = 5_000

/**
 * Waits until running work ends, but at most five seconds. Work that takes longer is abandoned: its lease expires, and
 * another server continues it.
 */
export async function finishBeforeStop(running: Iterable<Promise<unknown>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((done) => {
    timer = setTimeout(done, STOP_MS)
  })
  try {
    await Promise.race([Promise.all(running), late])
  } finally {
    clearTimeout(timer)
  }
}
