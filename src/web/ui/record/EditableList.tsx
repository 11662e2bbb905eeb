import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import type { RecordFormState } from './use-record-form.ts'

type Props<Values, Saved, Row> = {
  record: RecordFormState<Values, Saved>
  name: keyof Values & string
  rows: readonly Row[]
  /** The value of an added row. */
  blank: Row
  /** "contact": used in button labels. */
  noun: string
  /** The name of a row, "Dana Whitfield"; empty if it has no name yet. */
  nameOf: (row: Row) => string
  /** Shown when there are no rows. */
  empty: string
  /** The fields of a row. Their names start with `path`, such as `contacts.0`. */
  children: (row: Row, path: string) => ReactNode
}

/** A removed row and its former position. */
type Removed<Row> = { row: Row; index: number; generation: number }

/**
 * A list of small objects in a form: add at the end, remove with undo, reorder with buttons. An error for
 * `contacts.0.email` is shown at that field, one for `contacts` above the rows:
 *
 *     <EditableList record={record} name="contacts" rows={record.form.values.contacts} blank={BLANK_CONTACT} ...>
 *       {(contact, path) => <TextInput label="Name" {...record.form.getInputProps(`${path}.name`)} />}
 *     </EditableList>
 */
export function EditableList<Values, Saved, Row>(props: Props<Values, Saved, Row>) {
  const { record, name, rows, blank, noun, nameOf, empty, children } = props
  const { form, isReadOnly, change, generation } = record
  const list = useRef<HTMLFieldSetElement>(null)
  const [removed, setRemoved] = useState<readonly Removed<Row>[]>([])
  const last = removed.findLast((one) => one.generation === generation)
  const error = form.errors[name]
  const labelOf = (row: Row, index: number) => nameOf(row) || `${noun} ${index + 1}`

  /** After React has rendered the change, move the focus to the next element the user needs. */
  const focus = (selector: string) =>
    void requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(selector)?.focus())
  const focusRow = (index: number) => focus(`[data-row="${index}"] :is(input, textarea):not([type="hidden"])`)

  function add(row: Row, index: number) {
    change({ [name]: rows.toSpliced(index, 0, row) })
    focusRow(index)
  }

  function remove(row: Row, index: number) {
    change({ [name]: rows.toSpliced(index, 1) })
    setRemoved([...removed, { row, index, generation }])
    focus('[data-undo]')
  }

  function move(index: number, to: number) {
    const [row] = rows.slice(index, index + 1)
    if (row === undefined) return
    change({ [name]: rows.toSpliced(index, 1).toSpliced(to, 0, row) })
    // At either end, the pressed button is disabled, so the opposite button takes the focus.
    const isUp = to < index
    const button = isUp ? 'up' : 'down'
    const back = isUp ? 'down' : 'up'
    const isAtEnd = to === 0 || to === rows.length - 1
    focus(`[data-row="${to}"] [data-move="${isAtEnd ? back : button}"]`)
  }

  return (
    <fieldset ref={list} className="fc-rows" aria-label={`${noun} list`}>
      {error !== undefined && (
        <p className="fc-rows-error" role="alert" tabIndex={-1} data-wrong>
          {error}
        </p>
      )}
      {rows.length === 0 && (
        <p className="fc-small fc-faint">
          <bdi>{empty}</bdi>
        </p>
      )}
      <ol>
        {rows.map((row, index) => (
          <li key={index} data-row={index} className="fc-row-card" aria-label={labelOf(row, index)}>
            <div className="fc-row-fields">{children(row, `${name}.${index}`)}</div>
            {!isReadOnly && (
              <RowTools
                name={labelOf(row, index)}
                isFirst={index === 0}
                isLast={index === rows.length - 1}
                onMove={(by) => move(index, index + by)}
                onRemove={() => remove(row, index)}
              />
            )}
          </li>
        ))}
      </ol>
      {!isReadOnly && (
        <div className="fc-row">
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            onClick={() => add(blank, rows.length)}
          >
            Add {noun}
          </Button>
          <output className="fc-row fc-small fc-soft">
            {last && (
              <UndoRemoval
                name={labelOf(last.row, last.index)}
                onUndo={() => {
                  setRemoved(removed.filter((one) => one !== last))
                  add(last.row, last.index)
                }}
              />
            )}
          </output>
        </div>
      )}
    </fieldset>
  )
}

type RowToolsProps = {
  name: string
  isFirst: boolean
  isLast: boolean
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** The buttons that move and remove a row. */
function RowTools({ name, isFirst, isLast, onMove, onRemove }: RowToolsProps) {
  return (
    <div className="fc-row-tools">
      <ActionIcon aria-label={`Move ${name} up`} data-move="up" disabled={isFirst} onClick={() => onMove(-1)}>
        <IconArrowUp size={16} />
      </ActionIcon>
      <ActionIcon
        aria-label={`Move ${name} down`}
        data-move="down"
        disabled={isLast}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={16} />
      </ActionIcon>
      <ActionIcon aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </div>
  )
}

function UndoRemoval({ name, onUndo }: { name: string; onUndo: () => void }) {
  return (
    <>
      <span>
        <bdi>{name}</bdi> removed
      </span>
      <Button variant="subtle" data-undo onClick={onUndo}>
        Undo
      </Button>
    </>
  )
}
