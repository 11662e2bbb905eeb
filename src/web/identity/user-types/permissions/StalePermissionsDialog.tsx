import { Button } from '@mantine/core'
import { useState } from 'react'
import { useConflictTitle } from '#web/ui/form/conflict-title.ts'
import { AnswerDialog } from '#web/ui/overlay/AnswerDialog.tsx'
import { describeOverwrite, focusNode } from '#web/ui/record/StaleDialog.tsx'
import type { Versioned } from '#web/ui/record/use-record-form.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { type Cells, findChanges, nameOf } from './matrix.ts'

type Props = {
  /** What both started from, the unsaved permissions of this user, and those another user saved in the meantime. */
  before: Cells
  mine: Cells
  theirs: Cells
  current: Versioned
  /** "Dealer user". */
  name: string
  onClose: () => void
  onReload: () => void
  onOverwrite: () => void
}

/** Shown when another user saved first (409): compare, reload theirs, or overwrite. */
export function StalePermissionsDialog(props: Props) {
  const { before, mine, theirs, current, name, onClose, onReload, onOverwrite } = props
  const [isComparing, setIsComparing] = useState(false)
  const changes = {
    theirs: findChanges({ saved: before, wanted: theirs }),
    mine: findChanges({ saved: before, wanted: mine }),
  }
  const differences = findChanges({ saved: theirs, wanted: mine })
  const title = useConflictTitle(name, current)
  return (
    <AnswerDialog onClose={onClose} onPutOff={onClose} title={title}>
      <p>
        Your changes aren't lost. Saved meanwhile: {count(changes.theirs.length, 'permission', 'permissions')}
        . Your changes: {count(changes.mine.length, 'permission', 'permissions')}.
      </p>
      <p>{describeOverwrite({ isReplacing: false, discard: 'Reload' })}</p>
      {isComparing && (
        <table className="fc-compare" ref={focusNode} tabIndex={-1}>
          <thead>
            <tr>
              <th scope="col">Permission</th>
              <th scope="col">Yours</th>
              <th scope="col">Saved meanwhile</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ permission, isGranted }) => (
              <tr key={nameOf(permission)}>
                <th scope="row">{nameOf(permission)}</th>
                <td>{isGranted ? 'Granted' : 'Not granted'}</td>
                <td>{isGranted ? 'Not granted' : 'Granted'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="fc-buttons">
        {!isComparing && differences.length > 0 && (
          <Button variant="default" onClick={() => setIsComparing(true)}>
            Compare
          </Button>
        )}
        <Button variant="default" onClick={onReload}>
          Reload
        </Button>
        <Button onClick={onOverwrite}>Overwrite</Button>
      </div>
    </AnswerDialog>
  )
}
