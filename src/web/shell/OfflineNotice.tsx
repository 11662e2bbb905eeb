import { IconWifiOff } from '@tabler/icons-react'
import { useBlocker, useRouter } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { queryClient } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { followConnection, followOfflineWork, isOfflineWork } from '#web/session/offline-work.ts'

/** Shown while the browser is offline: data may be outdated, and saving doesn't work. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(followConnection, () => navigator.onLine)
  // Such a page says where its answers are.
  const isKept = useSyncExternalStore(followOfflineWork, isOfflineWork)
  const [isTrying, setIsTrying] = useState(false)
  useOfflineGuard(!isOnline)
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

/** How long a page's code may take before it counts as not kept by the browser. */
const AT_HAND_MS = 500

/** While there is no connection, keeps the open page if the code of the next one isn't loaded yet, and says so. */
function useOfflineGuard(isOffline: boolean): void {
  const router = useRouter()
  useBlocker({
    shouldBlockFn: async ({ next }) => {
      const route = router.routesById[next.routeId]
      const loading = Promise.resolve(router.loadRouteChunk(route)).then(() => true)
      const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), AT_HAND_MS))
      if (await Promise.race([loading, late])) return false
      toast("You're offline", 'Open that page again once the connection is back.')
      return true
    },
    enableBeforeUnload: false,
    disabled: !isOffline,
  })
}
