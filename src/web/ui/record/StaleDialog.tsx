import { Button, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { findDifferences, type Labels } from './differences.ts'
import { showValue } from './show-record-value.ts'
import type { RecordFormState, Versioned } from './use-record-form.ts'

type Props<Values, Saved> = {
  record: RecordFormState<Values, Saved>
  /** "this lot". */
  thing: string
  /** Formats a field of one version; the default shows text as is. */
  show?: (name: string, values: Values) => ReactNode
}

/**
 * Another user saved the record after this form was loaded (409). Nothing typed is lost: the user can compare,
 * reload or overwrite. Render it inside its `RecordForm`.
 */
export function StaleDialog<Values extends Record<string, unknown>, Saved extends Versioned>(
  props: Props<Values, Saved>,
) {
  const { stale, resolve, labels } = props.record
  if (!stale) return null
  return <Question {...props} {...{ stale, resolve, labels }} />
}

/** The form may be in a dialog itself; dialogs begin at 200. Menus are at 300. */
const ABOVE_DIALOGS = 280

type QuestionProps<Values, Saved> = Props<Values, Saved> & {
  stale: NonNullable<RecordFormState<Values, Saved>['stale']>
  resolve: RecordFormState<Values, Saved>['resolve']
  labels: Labels<Values>
}

function Question<Values extends Record<string, unknown>, Saved extends Versioned>(
  props: QuestionProps<Values, Saved>,
) {
  const { stale, resolve, labels, thing, show = showPlainly } = props
  const [isComparing, setIsComparing] = useState(false)
  const { mine, theirs, current } = stale
  const { updatedBy, updatedAt } = current
  const nameOf: Readonly<Record<string, string>> = labels
  const names = findDifferences(labels, mine, theirs)
  return (
    <Modal
      opened
      zIndex={ABOVE_DIALOGS}
      onClose={() => resolve('close')}
      title={`${updatedBy ?? 'Another user'} changed ${thing}${updatedAt ? ` ${formatAgo(updatedAt)}` : ''}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={MODAL_TRANSITION}
    >
      <p>
        <bdi>
          Your changes aren't lost. These fields differ:{' '}
          {names.map((name) => nameOf[name]).join(', ') || 'none you can see'}.
        </bdi>
      </p>
      {isComparing && (
        <table className="fc-compare">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">Current</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{nameOf[name]}</th>
                <td>
                  <bdi>{show(name, mine)}</bdi>
                </td>
                <td>
                  <bdi>{show(name, theirs)}</bdi>
                </td>
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
        <Button variant="default" onClick={() => resolve('reload')}>
          Reload
        </Button>
        <Button onClick={() => resolve('overwrite')}>Overwrite</Button>
      </div>
    </Modal>
  )
}

function showPlainly(name: string, values: Readonly<Record<string, unknown>>): string {
  return showValue(values[name])
}
