import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { Question, QuestionColumn, QuestionOf } from '#contract/questions/definition.ts'
import { MAX_COLUMNS, MAX_TABLE_ROWS } from '#contract/questions/limits.ts'
import { textIn } from '#contract/questions/texts.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { ChoiceLines } from './ChoiceLines.tsx'
import { withText } from './with-text.ts'

type Props<Of extends Question> = {
  question: Of
  language: string
  onChange: (question: Question, what: string) => void
}

/** The rows and choices of a matrix. */
export function MatrixFields({ question, language, onChange }: Props<QuestionOf<'matrix'>>) {
  return (
    <>
      <ChoiceLines
        label="Rows"
        choices={question.rows.map(({ code, title }) => ({ value: code, title }))}
        language={language}
        onChange={(rows) =>
          onChange(
            { ...question, rows: rows.map(({ value, title }) => ({ code: codeOf(value), title })) },
            'rows',
          )
        }
      />
      <ChoiceLines
        label="Choices"
        choices={question.choices}
        language={language}
        onChange={(choices) => onChange({ ...question, choices }, 'choices')}
      />
    </>
  )
}

/** Codes start with a letter, values of choices needn't. */
const codeOf = (value: string): string => (/^[A-Za-z]/.test(value) ? value : `row_${value}`)

/** The columns of a table, and how many rows it has. */
export function TableFields({ question, language, onChange }: Props<QuestionOf<'table'>>) {
  const { columns } = question
  const put = (next: readonly QuestionColumn[], what: string) =>
    onChange({ ...question, columns: [...next] }, what)
  const rows = (value: number | string) => (typeof value === 'number' && value > 0 ? value : undefined)
  return (
    <>
      <ol className="fc-grid-columns" aria-label="Columns">
        {columns.map((column, at) => (
          <li key={column.code}>
            <ColumnFields
              column={column}
              number={at + 1}
              language={language}
              onChange={(changed, what) => put(columns.with(at, changed), `${what} of column ${column.code}`)}
              onMove={(by) => {
                const other = columns[at + by]
                if (other !== undefined)
                  put(columns.with(at, other).with(at + by, column), `move ${column.code}`)
              }}
              onRemove={() => put(columns.toSpliced(at, 1), `remove ${column.code}`)}
            />
          </li>
        ))}
      </ol>
      {columns.length < MAX_COLUMNS && (
        <Button
          variant="default"
          size="compact-sm"
          className="fc-fit"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => {
            const code = newCode(columns)
            const title = { [language]: `Column ${columns.length + 1}` }
            put([...columns, { type: 'text', code, title }], `add ${code}`)
          }}
        >
          Add column
        </Button>
      )}
      <div className="fc-pair">
        <NumberField
          rememberAs={`${question.code} Minimum rows`}
          label="Minimum rows"
          min={0}
          max={MAX_TABLE_ROWS}
          value={question.minRows ?? ''}
          onChange={(value) => onChange({ ...question, minRows: rows(value) }, 'least rows')}
        />
        <NumberField
          rememberAs={`${question.code} Maximum rows`}
          label="Maximum rows"
          min={1}
          max={MAX_TABLE_ROWS}
          value={question.maxRows ?? ''}
          onChange={(value) => onChange({ ...question, maxRows: rows(value) }, 'most rows')}
        />
      </div>
    </>
  )
}

function newCode(columns: readonly QuestionColumn[]): string {
  let number = columns.length + 1
  while (columns.some(({ code }) => code === `column${number}`)) number += 1
  return `column${number}`
}

const TYPES = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'date', label: 'Date' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'single', label: 'One choice' },
] as const satisfies readonly { value: QuestionColumn['type']; label: string }[]

type ColumnProps = {
  column: QuestionColumn
  number: number
  language: string
  onChange: (column: QuestionColumn, what: string) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

function ColumnFields({ column, number, language, onChange, onMove, onRemove }: ColumnProps) {
  const name = `column ${number}`
  return (
    <fieldset className="fc-grid-column" aria-label={`Column ${number}`}>
      <div className="fc-row">
        <span className="fc-grow fc-small fc-faint">
          <bdi>{column.code}</bdi>
        </span>
        <ActionIcon variant="subtle" size={28} aria-label={`Move up: ${name}`} onClick={() => onMove(-1)}>
          <IconArrowUp size={16} />
        </ActionIcon>
        <ActionIcon variant="subtle" size={28} aria-label={`Move down: ${name}`} onClick={() => onMove(1)}>
          <IconArrowDown size={16} />
        </ActionIcon>
        <ActionIcon variant="subtle" size={28} aria-label={`Delete: ${name}`} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </div>
      <TextInput
        label="Column title"
        maxLength={500}
        value={textIn(column.title, language, [])}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...column, title: withText(column.title, language, value) }, 'title')
        }
      />
      <Select
        label="Column type"
        data={TYPES}
        value={column.type}
        allowDeselect={false}
        onChange={(value) => {
          const type = TYPES.find((one) => one.value === value)?.value
          if (type !== undefined && type !== column.type)
            onChange(withColumnType(column, type, language), 'type')
        }}
      />
      {column.type === 'number' && <NumberColumn column={column} onChange={onChange} />}
      {column.type === 'single' && (
        <ChoiceLines
          label="Choices of the column"
          choices={column.choices}
          language={language}
          onChange={(choices) => onChange({ ...column, choices }, 'choices')}
        />
      )}
      <Checkbox
        size="sm"
        label="Required in each row"
        checked={column.isRequired === true}
        onChange={({ currentTarget: { checked } }) => {
          const { isRequired: _, ...rest } = column
          onChange(checked ? { ...rest, isRequired: true } : rest, 'required')
        }}
      />
    </fieldset>
  )
}

type NumberProps = Pick<ColumnProps, 'onChange'> & { column: Extract<QuestionColumn, { type: 'number' }> }

function NumberColumn({ column, onChange }: NumberProps) {
  const put = (name: 'unit' | 'total', text: string) => {
    const { [name]: _, ...rest } = column
    onChange(text === '' ? rest : { ...rest, [name]: text }, name)
  }
  return (
    <div className="fc-pair">
      <TextInput
        label="Unit"
        maxLength={30}
        value={column.unit ?? ''}
        onChange={({ currentTarget: { value } }) => put('unit', value)}
      />
      <TextInput
        label="Name of the total"
        description="For rules and formulas."
        maxLength={60}
        spellCheck={false}
        value={column.total ?? ''}
        onChange={({ currentTarget: { value } }) => put('total', value.trim())}
      />
    </div>
  )
}

/** The same column with another type: code, title and whether it is required stay. */
function withColumnType(
  column: QuestionColumn,
  type: QuestionColumn['type'],
  language: string,
): QuestionColumn {
  const { code, title, isRequired } = column
  const base = { code, title, ...(isRequired === true && { isRequired }) }
  if (type !== 'single') return { type, ...base }
  const choices = ['Choice 1', 'Choice 2'].map((text, at) => ({
    value: `choice${at + 1}`,
    title: { [language]: text },
  }))
  return { type, ...base, choices }
}
