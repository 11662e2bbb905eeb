import { ModalsProvider } from '@mantine/modals'
import { useEffect } from 'react'
import { markHostMounted } from './dialogs.tsx'
import { guardLetters, watchTyping } from './typing.ts'
import '@mantine/core/styles/Group.layer.css'

/** Hosts the dialogs of `dialogs.tsx`. Loaded after the first page, because no dialog opens before that. */
export function ModalHost() {
  return (
    <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>
      <MountedSignal />
    </ModalsProvider>
  )
}

/** Signals that queued dialogs can be shown, now that the provider is mounted. */
function MountedSignal() {
  useEffect(watchTyping, [])
  useEffect(guardLetters, [])
  useEffect(markHostMounted, [])
  return null
}
