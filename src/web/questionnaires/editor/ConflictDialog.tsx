import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { Questionnaire } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { compareVersions } from '#contract/questionnaires/questionnaires/compare-versions.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { ChangeList } from './versions/ChangeList.tsx'
import type { DraftSaver, DraftView } from './draft-saver.ts'

const MOST = 12

type Props = { view: DraftView; theirs: Questionnaire; saver: DraftSaver }

/** Another user saved first. Nothing on the screen is lost until the user decides. */
export function ConflictDialog({ view: { content }, theirs, saver }: Props) {
  const [isOpen, setOpen] = useState(true)
  const who = theirs.updatedBy ?? 'Another user'
  const changes = compareVersions(
    { definition: theirs.draft, scoring: theirs.scoring },
    { definition: content.draft, scoring: content.scoring },
  )
  if (!isOpen) {
    return (
      <div className="fc-conflict" role="alert">
        <span className="fc-grow">
          <bdi>{`${who} changed this questionnaire. Your changes aren't saved.`}</bdi>
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
      title={`${who} changed this questionnaire ${formatAgo(theirs.updatedAt)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={MODAL_TRANSITION}
    >
      <p>Your changes aren't lost. This is how your version differs from the saved one:</p>
      <ChangeList changes={changes} most={MOST} />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => setOpen(false)}>
          Decide later
        </Button>
        <Button variant="default" onClick={() => saver.resolve('theirs')}>
          Discard mine
        </Button>
        <Button onClick={() => saver.resolve('mine')}>Overwrite with mine</Button>
      </div>
    </Modal>
  )
}
