import { ModalsProvider } from '@mantine/modals'
import { useEffect } from 'react'
import { stand } from './dialogs.tsx'
import '@mantine/core/styles/Group.layer.css'

/** Where the dialogs of `ui/dialogs.tsx` stand. Comes after the first page: nothing is asked before that. */
export function ModalHost() {
  return (
    <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>
      <Standing />
    </ModalsProvider>
  )
}

/** Tells that whatever waited can be shown: by now the provider around it listens. */
function Standing() {
  useEffect(stand, [])
  return null
}
