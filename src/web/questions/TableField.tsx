import { ActionIcon, Button, Checkbox, Select, TextInput, VisuallyHidden } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Fragment, useRef } from 'react'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import { showNumber } from '#contract/parsing/parse-number.ts'
import type { QuestionColumn } from '#contract/questions/definition.ts'
import { MAX_LINE, MAX_TABLE_ROWS } from '#contract/questions/limits.ts'
import { partsOf, textOf } from './draft-answers.ts'
import { type FieldContext, type FieldProps, ownProblem, shownText } from './field-props.ts'
import { QuestionGroup } from './QuestionGroup.tsx'

/** Rows with typed columns and their totals. On a phone each row is a block. */
export function TableField(props: FieldProps<'table'>) {
  const { question, draft, onChange, onLeave, problems, context, locked, hasFixedRows = false } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const rows: readonly unknown[] = Array.isArray(draft) && draft.length > 0 ? draft : [{}]
  const most = question.maxRows ?? MAX_TABLE_ROWS
  const whole = ownProblem(problems)
  const { text } = context

  /** After React has rendered the change. */
  const focusRow = (at: number) =>
    void requestAnimationFrame(() => {
      body.current?.querySelector<HTMLElement>(`[data-row="${at}"] input`)?.focus()
    })

  return (
    <QuestionGroup {...props} {...(whole !== undefined && { error: whole })}>
      <table className="fc-question-table">
        <thead>
          <tr>
            {question.columns.map((column) => (
              <th key={column.code} scope="col">
                {columnTitle(column, context)}
              </th>
            ))}
            <th scope="col">
              <VisuallyHidden>{text('remove')}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, at) => (
            <Fragment key={at}>
              <tr data-row={at}>
                {question.columns.map((column) => (
                  <td key={column.code} data-title={columnTitle(column, context)}>
                    <Cell
                      column={column}
                      label={`${columnTitle(column, context)}, ${text('row', at + 1)}`}
                      draft={partsOf(row)[column.code]}
                      onChange={(cell) => onChange(rows.with(at, { ...partsOf(row), [column.code]: cell }))}
                      onLeave={onLeave}
                      isLocked={locked?.has(at) === true}
                      error={problems.find((one) => one.row === at && one.column === column.code)?.message}
                      context={context}
                    />
                  </td>
                ))}
                <td>
                  {!hasFixedRows && (
                    <ActionIcon
                      aria-label={text('removeRow', at + 1)}
                      disabled={rows.length === 1 || locked?.has(at) === true}
                      onClick={() => {
                        onChange(rows.toSpliced(at, 1))
                        focusRow(Math.min(at, rows.length - 2))
                      }}
                    >
                      <IconTrash size={16} aria-hidden="true" />
                    </ActionIcon>
                  )}
                </td>
              </tr>
              {locked?.has(at) === true && (
                <tr className="fc-question-table-note">
                  <td colSpan={question.columns.length + 1}>{locked.get(at)}</td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
        <Totals {...props} />
      </table>
      {!hasFixedRows && (
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            disabled={rows.length >= most}
            onClick={() => {
              onChange([...rows, {}])
              focusRow(rows.length)
            }}
          >
            {text('addRow')}
          </Button>
        </div>
      )}
    </QuestionGroup>
  )
}

function columnTitle(column: QuestionColumn, context: FieldContext): string {
  const title = shownText(column.title, context)
  return column.type === 'number' && column.unit !== undefined ? `${title} (${column.unit})` : title
}

function Totals({ question, context }: FieldProps<'table'>) {
  const { evaluation, language, text } = context
  const names = question.columns.map((column) => (column.type === 'number' ? column.total : undefined))
  if (!names.some((name) => name !== undefined && typeof evaluation.totals[name] === 'string')) return null
  const format = localeFormat(language)
  return (
    <tfoot>
      <tr>
        {question.columns.map((column, at) => {
          const name = names[at]
          const sum = name === undefined ? null : evaluation.totals[name]
          const shown = sum === null || sum === undefined ? '' : `${text('total')} ${showNumber(sum, format)}`
          return <td key={column.code}>{shown}</td>
        })}
      </tr>
    </tfoot>
  )
}

type CellProps = {
  column: QuestionColumn
  label: string
  draft: unknown
  onChange: (draft: unknown) => void
  onLeave: () => void
  isLocked: boolean
  error: string | undefined
  context: FieldContext
}

function Cell({ column, label, draft, onChange, onLeave, isLocked, error, context }: CellProps) {
  const shared = { 'aria-label': label, error, onBlur: onLeave, disabled: isLocked }
  switch (column.type) {
    case 'boolean':
      return (
        <Checkbox
          {...shared}
          checked={draft === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'single':
      return (
        <Select
          {...shared}
          data={column.choices.map(({ value, title }) => ({ value, label: shownText(title, context) }))}
          value={textOf(draft) === '' ? null : textOf(draft)}
          onChange={(value) => onChange(value ?? '')}
          placeholder={context.text('choose')}
          clearable
        />
      )
    default:
      return (
        <TextInput
          {...shared}
          {...(column.type === 'date' && { type: 'date', max: column.latest ?? '2100-12-31' })}
          {...(column.type === 'number' && { inputMode: 'decimal' as const })}
          maxLength={MAX_LINE}
          autoComplete="off"
          value={textOf(draft)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
  }
}
