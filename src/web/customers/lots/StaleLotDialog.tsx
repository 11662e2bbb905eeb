import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { Lot } from '#contract/customers/lots.ts'
import { formatAgo } from '#web/ui/moment.ts'
import { FIELD_NAMES, findDifferences, type LotValues, showValue, toValues } from './lot-fields.ts'

type Props = {
  mine: LotValues
  current: Lot
  onClose: () => void
  /** Takes theirs, gives up mine. */
  onReload: () => void
  /** Saves mine over theirs. */
  onOverwrite: () => void
}

/** Somebody saved the lot after this form was loaded. Nothing typed is lost before the person says so. */
export function StaleLotDialog({ mine, current, onClose, onReload, onOverwrite }: Props) {
  const [isComparing, setIsComparing] = useState(false)
  const theirs = toValues(current)
  const names = findDifferences(mine, theirs)
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${current.updatedBy ?? 'Somebody'} changed this lot ${formatAgo(current.updatedAt)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 100, exitDuration: 300 }}
    >
      <p>
        Nothing you typed is lost. It differs in{' '}
        {names.map((name) => FIELD_NAMES[name]).join(', ') || 'no field that you can see'}.
      </p>
      {isComparing && (
        <table className="fc-compare">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">Now</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{FIELD_NAMES[name]}</th>
                <td>{show(name, mine, current)}</td>
                <td>{show(name, theirs, current)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="fc-buttons">
        {!isComparing && (
          <Button variant="default" onClick={() => setIsComparing(true)}>
            Compare
          </Button>
        )}
        <Button variant="default" onClick={onReload}>
          Reload
        </Button>
        <Button onClick={onOverwrite}>Overwrite</Button>
      </div>
    </Modal>
  )
}

function show(name: keyof LotValues, values: LotValues, current: Lot): string {
  const isTheirOrganization = name === 'organizationId' && values.organizationId === current.organizationId
  return isTheirOrganization ? current.organizationName : showValue(values[name])
}
