import { Button, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { ChangeList, type ShownChange } from './ChangeList.tsx'

const MOST = 20

type Props = {
  document: Readonly<{ name: string; publishedNumber: number | null }>
  /** The call that publishes, whose permission the button needs. */
  endpoint: Endpoint
  /** Since the published version; null before the first one. */
  changes: readonly ShownChange[] | null
  /** What publishing does. */
  children: ReactNode
  onPublish: () => Promise<void>
  onClose: () => void
}

/** Asks before publishing: what it does, with what changed since the last version. */
export function PublishDialog({ document, endpoint, changes, children, onPublish, onClose }: Props) {
  const [isBusy, setBusy] = useState(false)
  const { publishedNumber, name } = document
  const next = (publishedNumber ?? 0) + 1
  return (
    <Modal
      opened
      size={640}
      onClose={onClose}
      title={`Publish ${name}, version ${next}?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={MODAL_TRANSITION}
    >
      <p>{children}</p>
      {changes !== null && (
        <>
          <h3 className="fc-dialog-heading">Changed since version {publishedNumber}</h3>
          <ChangeList changes={changes} most={MOST} />
        </>
      )}
      <div className="fc-buttons">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Action
          for={endpoint}
          loading={isBusy}
          onClick={() => {
            setBusy(true)
            void onPublish().finally(() => setBusy(false))
          }}
        >
          Publish version {next}
        </Action>
      </div>
    </Modal>
  )
}
