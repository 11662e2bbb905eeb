import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { queryClient } from '#web/api/query.ts'
import { pasteWhole } from '#web/ui/form/whole-paste.ts'
import { AppLayout } from './AppLayout.tsx'
import '#web/ui/controls/controls.css'
import '#web/ui/form/forms.css'
import '#web/ui/list/lists.css'
import './shell.css'
import './top-bar.css'
import '../notices.css'
import '../looks.css'

const Overlays = lazy(async () => ({ default: (await import('./Overlays.tsx')).Overlays }))

/** The navigation around signed-in pages. Loaded after sign-in, to keep the sign-in page small. */
export function Shell() {
  useEffect(() => {
    document.addEventListener('paste', pasteWhole, true)
    return () => document.removeEventListener('paste', pasteWhole, true)
  }, [])
  return (
    <QueryClientProvider client={queryClient}>
      <AppLayout />
      <Suspense>
        <Overlays />
      </Suspense>
    </QueryClientProvider>
  )
}
