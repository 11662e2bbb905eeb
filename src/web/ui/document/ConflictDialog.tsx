import { Button, Text } from '@mantine/core'
import { Fragment, useState } from 'react'
import { keepTyping } from '#web/ui/controls/keep-typing.ts'
import { AnswerDialog } from '#web/ui/overlay/AnswerDialog.tsx'
import { useConflictTitle } from '#web/ui/form/conflict-title.ts'
import { describeOverwrite, STAYS } from '#web/ui/record/StaleDialog.tsx'
import { ChangeList, type ShownChange } from './ChangeList.tsx'

const MOST = 12

type Props = {
  /** `questionnaire`: "changed this questionnaire". */
  noun: string
  theirs: Readonly<{ updatedAt: string; updatedBy: string | null }>
  /**
   * From the version that both started from: to the saved one, to the user's, what overwriting replaces, and which deletions of
   * each come back.
   */
  changes: Readonly<Record<'theirs' | 'mine' | 'both' | 'mineBack' | 'theirsBack', readonly ShownChange[]>>
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
        <Button size="compact-sm" onClick={() => setOpen(true)} onMouseDown={keepTyping}>
          Decide
        </Button>
      </div>
    )
  }
  return (
    <AnswerDialog size={640} onClose={() => setOpen(false)} onPutOff={() => setOpen(false)} title={title}>
      <p>Your changes aren't lost.</p>
      <h3 className="fc-dialog-heading">Saved meanwhile</h3>
      <ChangeList changes={changes.theirs} most={MOST} />
      <h3 className="fc-dialog-heading">Your changes</h3>
      <ChangeList changes={changes.mine} most={MOST} />
      {changes.both.length > 0 && (
        <>
          <h3 className="fc-dialog-heading">Changed by both, replaced by yours if you overwrite</h3>
          <ChangeList changes={changes.both} most={MOST} />
        </>
      )}
      {(['mine', 'theirs'] as const).map(
        (who) =>
          changes[`${who}Back`].length > 0 && (
            <Fragment key={who}>
              <h3 className="fc-dialog-heading">{STAYS[who]}</h3>
              <ChangeList changes={changes[`${who}Back`]} most={MOST} />
            </Fragment>
          ),
      )}
      <Text mt="sm">
        {describeOverwrite({ isReplacing: changes.both.length > 0, discard: 'Discard mine' })}
      </Text>
      <div className="fc-buttons">
        <Button variant="default" onClick={() => setOpen(false)}>
          Decide later
        </Button>
        <Button variant="default" onClick={() => onResolve('theirs')}>
          Discard mine
        </Button>
        <Button onClick={() => onResolve('mine')}>Overwrite with mine</Button>
      </div>
    </AnswerDialog>
  )
}
