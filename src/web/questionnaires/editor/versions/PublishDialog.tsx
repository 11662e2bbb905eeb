import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { compareVersions } from '#contract/questionnaires/questionnaires/compare-versions.ts'
import {
  type Questionnaire,
  questionnaires,
  type QuestionnaireVersion,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ChangeList } from './ChangeList.tsx'

const MOST = 20

type Props = {
  stored: Questionnaire
  /** The published version; null before the first one. */
  latest: QuestionnaireVersion | null
  onPublish: () => Promise<void>
  onClose: () => void
}

/** What publishing does, with what changed since the last version. */
export function PublishDialog({ stored, latest, onPublish, onClose }: Props) {
  const [isBusy, setBusy] = useState(false)
  const { publishedNumber, assessmentCount, name, status } = stored
  const next = (publishedNumber ?? 0) + 1
  const changes =
    latest === null ? [] : compareVersions(latest, { definition: stored.draft, scoring: stored.scoring })
  return (
    <Modal
      opened
      size={640}
      onClose={onClose}
      title={`Publish ${name}, version ${next}?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={MODAL_TRANSITION}
    >
      <p>
        A published version never changes. New assessments use version {next}
        {status === 'retired' && ', and the questionnaire is available again'}
        {assessmentCount > 0 &&
          `; ${count(assessmentCount, 'existing assessment keeps', 'existing assessments keep')} the version that ${assessmentCount === 1 ? 'it was' : 'they were'} opened with`}
        .
      </p>
      {latest !== null && (
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
          for={questionnaires.publish}
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
