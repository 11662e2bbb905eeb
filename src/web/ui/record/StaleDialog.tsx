import { Button, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { capitalize } from '#contract/capitalize.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { AnswerDialog } from '#web/ui/overlay/AnswerDialog.tsx'
import { useConflictTitle } from '../form/conflict-title.ts'
import { describeDifferences, findDifferences, type Labels } from './differences.ts'
import { useFocusBack } from './focus-form.ts'
import { bringsBack } from './merge-changes.ts'
import { showValue } from './show-record-value.ts'
import type { RecordFormState, StaleRecord, Versioned } from './use-record-form.ts'

type Props<Values, Saved> = {
  record: RecordFormState<Values, Saved>
  /** "this lot". */
  thing: string
  /** Formats a field of one version; the default shows text as is. */
  show?: (name: string, values: Values) => ReactNode
  /** What one of the two changed in a field, for a field whose text doesn't say it; null for the others. */
  describe?: (name: string, base: Values, changed: Values) => readonly string[] | null
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
  const { stale, resolve, labels, isGone, isDeciding } = props.record
  if (!isDeciding) return null
  if (isGone) return <Gone {...props} />
  if (!stale) return null
  return <Question {...props} {...{ stale, resolve, labels }} />
}

function Gone<Values, Saved>({ record: { id, resolve, acceptGone }, thing, again }: Props<Values, Saved>) {
  const close = () => resolve('close')
  useFocusBack(id, [])
  const verb = /^(these|those) /.test(thing) ? 'were' : 'was'
  return (
    <AnswerDialog
      zIndex={ABOVE_DIALOGS}
      onClose={close}
      onPutOff={close}
      title={`${capitalize(thing)} ${verb} deleted in the meantime`}
    >
      <p>
        <bdi>
          {again
            ? 'What you entered is still here. You can add it as a new one.'
            : "It can't be saved anymore. What you entered is still here, so that you can copy it."}
        </bdi>
      </p>
      <div className="fc-buttons">
        <Button variant="default" onClick={close}>
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
    </AnswerDialog>
  )
}

/** The form may be in a dialog itself; dialogs begin at 200. Menus are at 300. */
const ABOVE_DIALOGS = 280

type QuestionProps<Values, Saved> = Props<Values, Saved> & {
  stale: StaleRecord<Values, Saved>
  resolve: RecordFormState<Values, Saved>['resolve']
  labels: Labels<Values>
}

function Question<Values extends Record<string, unknown>, Saved extends Versioned>(
  props: QuestionProps<Values, Saved>,
) {
  const { stale, resolve, labels, thing } = props
  const [isComparing, setIsComparing] = useState(false)
  const title = useConflictTitle(thing, stale.current)
  const changed = changedFields(labels, stale)
  useFocusBack(props.record.id, changed.mine)
  return (
    <AnswerDialog
      zIndex={ABOVE_DIALOGS}
      onClose={() => resolve('close')}
      onPutOff={() => resolve('close')}
      title={title}
      {...(isComparing && { size: 640 })}
    >
      <p>Your changes aren't lost.</p>
      <Text component="div" my="sm">
        {describeChanged(labels, changed).map((line) => (
          <p key={line}>
            <bdi>{line}</bdi>
          </p>
        ))}
      </Text>
      <p>{describeOverwrite({ isReplacing: changed.both.length > 0, discard: 'Reload' })}</p>
      {isComparing && <Comparison {...props} changed={changed} />}
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
    </AnswerDialog>
  )
}

type ChangedFields = Readonly<
  Record<'theirs' | 'mine' | 'both' | 'mineBack' | 'theirsBack', readonly string[]>
>

/**
 * The names of the fields that each of the two changed, of those in which they changed the same, and of those in which something
 * comes back that one of them deleted.
 */
export function changedFields<Values extends Record<string, unknown>>(
  labels: Labels<Values>,
  { base, mine, theirs, merged, yielding }: Omit<StaleRecord<Values, unknown>, 'current'>,
): ChangedFields {
  const back = (version: Values) =>
    Object.keys(labels).filter((name) =>
      bringsBack({ base: base[name], mine: version[name], merged: merged[name] }),
    )
  return {
    theirs: findDifferences(labels, theirs, base),
    mine: findDifferences(labels, mine, base),
    both: findDifferences(labels, merged, yielding),
    mineBack: back(mine),
    theirsBack: back(theirs),
  }
}

/** "Saved meanwhile: City, Phone." and what else the user has to know before deciding. */
export function describeChanged(
  labels: Readonly<Record<string, string>>,
  { theirs, mine, both, mineBack, theirsBack }: ChangedFields,
): string[] {
  const list = (names: readonly string[]) => names.map((name) => labels[name] ?? name).join(', ')
  return [
    `Saved meanwhile: ${list(theirs) || 'nothing you can see'}.`,
    `Your changes: ${list(mine) || 'nothing you can see'}.`,
    `Changed by both: ${list(both) || 'nothing'}.`,
    ...(mineBack.length > 0 ? [`${STAYS.mine}: ${list(mineBack)}.`] : []),
    ...(theirsBack.length > 0 ? [`${STAYS.theirs}: ${list(theirsBack)}.`] : []),
  ]
}

/** Before the names of what comes back, by who deleted it. */
export const STAYS = {
  mine: 'Deleted by you, but changed or used meanwhile, so it stays',
  theirs: 'Deleted meanwhile, but changed or used by you, so it stays',
}

/** What the buttons do. `isReplacing`: both changed the same somewhere. `discard`: the button that takes the saved version. */
export function describeOverwrite({
  isReplacing,
  discard,
}: {
  isReplacing: boolean
  discard: string
}): string {
  const replaced = isReplacing ? ' Where both changed the same, yours replaces it.' : ''
  return `Overwrite saves your changes and keeps what was saved meanwhile.${replaced} ${discard} takes the saved version without your changes.`
}

/** The fields that one of them changed: what each changed, and what Overwrite saves. */
function Comparison<Values extends Record<string, unknown>, Saved>({
  stale: { base, mine, theirs, merged },
  labels,
  changed,
  show = showPlainly,
  describe = () => null,
}: QuestionProps<Values, Saved> & { changed: ChangedFields }) {
  const labelOf: Readonly<Record<string, string>> = labels
  const names = Object.keys(labels).filter(
    (name) => changed.mine.includes(name) || changed.theirs.includes(name),
  )
  const cell = (name: string, values: Values): ReactNode => {
    const [one, other] = [show(name, mine), show(name, theirs)]
    const same = one === other ? describeDifferences(base[name], values[name]) : null
    const lines = describe(name, base, values) ?? same
    if (lines === null) return <bdi>{show(name, values)}</bdi>
    if (lines.length === 0) return NOT_CHANGED
    return lines.map((line) => (
      <p key={line}>
        <bdi>{line}</bdi>
      </p>
    ))
  }
  return (
    <table className="fc-compare" ref={focusNode} tabIndex={-1}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Yours</th>
          <th scope="col">Saved meanwhile</th>
          <th scope="col">After Overwrite</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">{labelOf[name]}</th>
            <td>{changed.mine.includes(name) ? cell(name, mine) : NOT_CHANGED}</td>
            <td>{changed.theirs.includes(name) ? cell(name, theirs) : NOT_CHANGED}</td>
            <td>{cell(name, merged)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The button that opened the comparison is gone. */
export const focusNode = (table: HTMLElement | null) => table?.focus({ preventScroll: true })

const NOT_CHANGED = <span className="fc-soft">Not changed</span>

function showPlainly(name: string, values: Readonly<Record<string, unknown>>): string {
  return showValue(values[name])
}
