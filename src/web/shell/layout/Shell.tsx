import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { queryClient } from '#web/api/query.ts'
import { Frame } from './AppLayout.tsx'
import '#web/ui/controls/controls.css'
import '#web/ui/form/forms.css'
import '#web/ui/list/lists.css'
import './shell.css'
import './top-bar.css'
import '../notices.css'
import '../looks.css'

const Overlays = lazy(async () => ({ default: (await import('./Overlays.tsx')).Overlays }))

/** Everything signed-in pages stand in. Loaded after sign-in, so that sign-in stays small. */
export function Shell() {
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
      <Suspense>
        <Overlays />
      </Suspense>
    </QueryClientProvider>
  )
}
