import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { queryClient } from '#web/api/query.ts'
import { AppLayout } from './AppLayout.tsx'
import '#web/ui/controls/controls.css'
import '#web/ui/layout/texts.css'
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

/**
 * Pastes texts whole. A browser cuts what is longer than the field takes and says nothing; without the limit, the form says
 * how many characters the field may have, and what was pasted can be shortened.
 */
function pasteWhole(event: ClipboardEvent): void {
  const { target: field, clipboardData } = event
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  const { maxLength, value, selectionStart, selectionEnd } = field
  const kept = value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0))
  const pasted = clipboardData?.getData('text/plain').length ?? 0
  if (maxLength >= 0 && kept + pasted > maxLength) field.removeAttribute('maxlength')
}
