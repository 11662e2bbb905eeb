import { ModalsProvider } from '@mantine/modals'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { queryClient } from '#web/api/query.ts'
import { Frame } from './Frame.tsx'
import '#web/ui/controls.css'
import '#web/ui/forms.css'
import '#web/ui/lists.css'
import './shell.css'

/** Nothing is announced before the first page stands, so the first page does not wait for this. */
const Toasts = lazy(async () => ({ default: (await import('#web/ui/Toasts.tsx')).Toasts }))

/** Everything signed-in pages stand in. Loaded after sign-in, so that sign-in stays small. */
export function Shell() {
  return (
    <QueryClientProvider client={queryClient}>
      <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>
        <Frame />
        <Suspense>
          <Toasts />
        </Suspense>
      </ModalsProvider>
    </QueryClientProvider>
  )
}
