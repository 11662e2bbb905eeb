import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { useConflictTitle } from '#web/ui/record/StaleDialog.tsx'
import { ChangeList, type ShownChange } from './ChangeList.tsx'

const MOST = 12

type Props = {
  /** `questionnaire`: "changed this questionnaire". */
  noun: string
  theirs: Readonly<{ updatedAt: string; updatedBy: string | null }>
  /** From the saved version to the user's. */
  changes: readonly ShownChange[]
  onResolve: (how: 'theirs' | 'mine') => void
}

/** Another user saved first. Nothing on the screen is lost until the user decides. */
export function ConflictDialog({ noun, theirs, changes, onResolve }: Props) {
  const [isOpen, setOpen] = useState(true)
  const title = useConflictTitle(`this ${noun}`, theirs)
  if (!isOpen) {
    return (
      <div className="fc-conflict" role="alert">
        <span className="fc-grow">
          <bdi>{`${title}. Your changes aren't saved.`}</bdi>
        </span>
        <Button size="compact-sm" onClick={() => setOpen(true)}>
          Decide
        </Button>
      </div>
    )
  }
  return (
    <Modal
      opened
      size={640}
      onClose={() => setOpen(false)}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={MODAL_TRANSITION}
    >
      <p>Your changes aren't lost. This is how your version differs from the saved one:</p>
      <ChangeList changes={changes} most={MOST} />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => setOpen(false)}>
          Decide later
        </Button>
        <Button variant="default" onClick={() => onResolve('theirs')}>
          Discard mine
        </Button>
        <Button onClick={() => onResolve('mine')}>Overwrite with mine</Button>
      </div>
    </Modal>
  )
}
