import { useEffect, useRef, useState } from 'react'

/** `elsewhere`: another tab of this browser has it. */
export type TabClaim = Readonly<{
  state: 'asking' | 'held' | 'elsewhere'
  /** Asks the other tab to give it up. */
  take: () => void
  /** Runs before this tab gives it up. */
  setBeforeRelease: (work: () => Promise<void>) => void
}>

/** A reload gets the claim of its former page within this time. */
const PATIENCE_MS = 500

/**
 * Lets one tab of this browser work on something at a time: two tabs would send the same kept answers, and one could
 * change an answer that the other has sent. Without the browser's locks, which plain HTTP doesn't have, every tab may.
 */
export function useTabClaim(name: string): TabClaim {
  const hasLocks = 'locks' in navigator
  const [state, setState] = useState<TabClaim['state']>(hasLocks ? 'asking' : 'held')
  const beforeRelease = useRef<() => Promise<void>>(async () => {})
  const channel = useRef<BroadcastChannel | null>(null)

  useEffect(() => {
    if (!hasLocks) return undefined
    const ended = new AbortController()
    const own = new BroadcastChannel(name)
    channel.current = own
    let release: (() => void) | null = null
    const slow = setTimeout(() => setState((now) => (now === 'asking' ? 'elsewhere' : now)), PATIENCE_MS)
    const claim = () => {
      const held = navigator.locks.request(name, { signal: ended.signal }, async () => {
        setState('held')
        await new Promise<void>((done) => {
          release = done
        })
      })
      held.catch((error: unknown) => {
        if (!ended.signal.aborted) throw error
      })
    }
    const giveUp = async () => {
      const done = release
      if (done === null) return
      release = null
      await beforeRelease.current()
      setState('elsewhere')
      done()
      // It returns when the other tab closes.
      claim()
    }
    own.addEventListener('message', () => void giveUp())
    claim()
    return () => {
      clearTimeout(slow)
      own.close()
      const done = release
      release = null
      if (done === null) ended.abort()
      else void beforeRelease.current().then(done)
    }
  }, [hasLocks, name])

  return {
    state,
    take: () => channel.current?.postMessage('take'),
    setBeforeRelease: (work) => {
      beforeRelease.current = work
    },
  }
}
