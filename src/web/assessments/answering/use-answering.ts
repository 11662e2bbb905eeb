import { useEffect, useSyncExternalStore } from 'react'
import type { Answering, AnsweringState } from './answering.ts'

/** The inputs and where each answer is. What was typed is sent when the page is hidden, and again when the connection is back. */
export function useAnswering(answering: Answering): AnsweringState {
  useEffect(() => {
    const { sync } = answering
    const hide = () => {
      if (document.visibilityState === 'hidden') void sync.flush({ keepalive: true })
    }
    const back = () => void sync.retry()
    document.addEventListener('visibilitychange', hide)
    window.addEventListener('online', back)
    // What this device kept is sent when the page opens.
    void sync.flush()
    return () => {
      document.removeEventListener('visibilitychange', hide)
      window.removeEventListener('online', back)
      void sync.flush()
    }
  }, [answering])
  return useSyncExternalStore(answering.subscribe, answering.state)
}
