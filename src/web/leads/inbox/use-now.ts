import { useEffect, useState } from 'react'

const TICK_MS = 10_000

/** The time in milliseconds, up to ten seconds old. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
