import { IconWifiOff } from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { queryClient } from '#web/api/query.ts'
import { followConnection, followOfflineWork, isOfflineWork } from '#web/session/offline-work.ts'

/** Shown while the browser is offline: data may be outdated, and saving doesn't work. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(followConnection, () => navigator.onLine)
  // Such a page says where its answers are.
  const isKept = useSyncExternalStore(followOfflineWork, isOfflineWork)
  const [isTrying, setIsTrying] = useState(false)
  async function tryAgain() {
    if (isTrying) return
    setIsTrying(true)
    await queryClient.refetchQueries({ type: 'active' })
    setIsTrying(false)
  }
  return (
    <output>
      {!isOnline && !isKept && (
        <span className="fc-offline">
          <IconWifiOff size={16} stroke={1.6} aria-hidden="true" />
          <span className="fc-grow">
            You're offline. Data may be out of date, and changes can't be saved.
          </span>
          <button type="button" aria-disabled={isTrying} onClick={() => void tryAgain()}>
            {isTrying ? 'Retrying…' : 'Try again'}
          </button>
        </span>
      )}
    </output>
  )
}
