import { IconWifiOff } from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { queryClient } from '#web/api/query.ts'

/** While the browser has no connection: what stands there may be old, and what is saved now does not arrive. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(followConnection, () => navigator.onLine)
  const [isTrying, setIsTrying] = useState(false)
  async function tryAgain() {
    if (isTrying) return
    setIsTrying(true)
    await queryClient.refetchQueries({ type: 'active' })
    setIsTrying(false)
  }
  return (
    <output>
      {!isOnline && (
        <span className="fc-offline">
          <IconWifiOff size={16} stroke={1.6} aria-hidden="true" />
          <span className="fc-grow">You are offline. What you see may be old, and nothing can be saved.</span>
          <button type="button" aria-disabled={isTrying} onClick={() => void tryAgain()}>
            {isTrying ? 'Trying…' : 'Try again'}
          </button>
        </span>
      )}
    </output>
  )
}

function followConnection(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}
