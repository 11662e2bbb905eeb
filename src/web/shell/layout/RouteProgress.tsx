import { NavigationProgress, nprogress } from '@mantine/nprogress'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * The thin progress bar of specification section 2. A change of search parameters isn't a navigation and shows
 * none.
 */
export function RouteProgress() {
  const router = useRouter()
  useEffect(() => {
    // Completing a bar that never started would briefly show it full.
    let isRunning = false
    const stops = [
      router.subscribe('onBeforeLoad', ({ pathChanged }) => {
        if (!pathChanged) return
        isRunning = true
        nprogress.start()
      }),
      router.subscribe('onResolved', () => {
        if (isRunning) nprogress.complete()
        isRunning = false
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [router])
  return <NavigationProgress size={2} withinPortal={false} aria-label="Loading the page" />
}
