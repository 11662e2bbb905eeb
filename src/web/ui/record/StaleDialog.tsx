import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { capitalize } from '#contract/capitalize.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { auth } from '#contract/identity/auth.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
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
  /** Adds what was typed as a new record after someone deleted this one: `start` makes the form that of a new one. */
  again?: { endpoint: Endpoint; start: () => void }
}

/**
 * Another user saved the record after this form was loaded (409), or deleted it (404). Nothing typed is lost: the user can
 * compare, reload or overwrite, or add it again. Render it inside its `RecordForm`.
 */
export function StaleDialog<Values extends Record<string, unknown>, Saved extends Versioned>(
  props: Props<Values, Saved>,
) {
  const { stale, resolve, labels, isGone } = props.record
  if (isGone) return <Gone {...props} />
  if (!stale) return null
  return <Question {...props} {...{ stale, resolve, labels }} />
}

function Gone<Values, Saved>({ record: { acceptGone }, thing, again }: Props<Values, Saved>) {
  const verb = /^(these|those) /.test(thing) ? 'were' : 'was'
  return (
    <Modal
      opened
      zIndex={ABOVE_DIALOGS}
      onClose={acceptGone}
      title={`${capitalize(thing)} ${verb} deleted in the meantime`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={MODAL_TRANSITION}
    >
      <p>
        <bdi>
          {again
            ? 'What you entered is still here. You can add it as a new one.'
            : "It can't be saved anymore. What you entered is still here, so that you can copy it."}
        </bdi>
      </p>
      <div className="fc-buttons">
        <Button variant="default" onClick={acceptGone}>
          Close
        </Button>
        {again && (
          <Action
            for={again.endpoint}
            onClick={() => {
              acceptGone()
              again.start()
            }}
          >
            Add it again
          </Action>
        )}
      </div>
    </Modal>
  )
}

/** "You changed this lot just now", for titles of conflicts. `thing`: "this lot". */
export function useConflictTitle(
  thing: string,
  { updatedBy, updatedAt }: Pick<Versioned, 'updatedAt' | 'updatedBy'>,
): string {
  const me = useQuery(query(auth.me, {}))
  const isOwn = updatedBy != null && updatedBy === me.data?.fullName
  const who = isOwn ? 'You' : (updatedBy ?? 'Another user')
  return `${who} changed ${thing}${updatedAt ? ` ${formatAgo(updatedAt)}` : ''}`
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
  const title = useConflictTitle(thing, current)
  const nameOf: Readonly<Record<string, string>> = labels
  const names = findDifferences(labels, mine, theirs)
  return (
    <Modal
      opened
      zIndex={ABOVE_DIALOGS}
      onClose={() => resolve('close')}
      title={title}
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
