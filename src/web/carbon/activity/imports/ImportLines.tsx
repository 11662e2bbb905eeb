import type { ImportLine, ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import {
  IMPORT_FIELD_NAMES,
  IMPORT_FIELDS,
  type ImportField,
} from '#contract/carbon/activity/import-mapping.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { LINE_STATE_LOOKS, LINE_STATE_NAMES } from './import-labels.ts'

/** A preview of the lines, those with problems first. Each problem is shown at its cell. */
export function ImportLines({
  preview: { shown, lines, mapping, columns, unused },
}: {
  preview: ImportPreview
}) {
  if (shown.length === 0) return null
  const fields = IMPORT_FIELDS.filter((field) => mapping.columns[field] !== undefined)
  return (
    // Focusable, so that a table wider than the drawer can be scrolled with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="fc-import-lines" aria-label="Lines of the file" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Status</th>
            <th scope="col">Imported as</th>
            {fields.map((field) => (
              <th key={field} scope="col">
                {IMPORT_FIELD_NAMES[field]}
              </th>
            ))}
            {unused.map((place) => (
              <th key={place} scope="col">
                <bdi>{columns[place]?.title}</bdi>
                <span className="fc-second">Not imported</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <Line key={line.key} line={line} fields={fields} />
          ))}
        </tbody>
      </table>
      {lines > shown.length && (
        <p className="fc-small fc-soft">
          {shown.length.toLocaleString()} of {lines.toLocaleString()} lines, those with problems first.
        </p>
      )}
    </section>
  )
}

function Line({
  line: { line, state, cells, rest, period, amount, kg, problems },
  fields,
}: {
  line: ImportLine
  fields: readonly ImportField[]
}) {
  const unmapped = problems.filter(({ field }) => field === null || !fields.includes(field))
  return (
    <tr>
      <th scope="row" className="fc-number">
        {line}
      </th>
      <td>
        <Status {...LINE_STATE_LOOKS[state]}>{LINE_STATE_NAMES[state]}</Status>
        <Problems problems={unmapped} />
      </td>
      <td className="fc-number">
        <bdi>{amount === null ? '' : `${showFigure(amount.quantity, 16)} ${amount.unit}`}</bdi>
        {state === 'ready' && (
          <bdi className="fc-second">{kg === null ? 'No result yet' : `${showFigure(kg)} kg CO2e`}</bdi>
        )}
      </td>
      {fields.map((field) => {
        const own = problems.filter((one) => one.field === field)
        const isWrong = own.some(({ level }) => level === 'error')
        return (
          <td key={field} {...(own.length > 0 && { 'data-problem': isWrong ? 'error' : 'warning' })}>
            <bdi>{cells[field] ?? ''}</bdi>
            {readAs(field, { cells, period }) !== null && (
              <bdi className="fc-second">{readAs(field, { cells, period })}</bdi>
            )}
            <Problems problems={own} />
          </td>
        )
      })}
      {rest.map((text, at) => (
        // The columns have no other key than their place.
        // oxlint-disable-next-line react/no-array-index-key
        <td key={at}>
          <bdi className="fc-soft">{text}</bdi>
        </td>
      ))}
    </tr>
  )
}

/** The date that a cell was read as, if that isn't obvious: 05/07/2027 may be in May or July. */
function readAs(field: ImportField, { cells, period }: Pick<ImportLine, 'cells' | 'period'>): string | null {
  if (period === null || (field !== 'periodStart' && field !== 'periodEnd')) return null
  const day = field === 'periodStart' ? period.first : period.last
  return day === cells[field] ? null : writeDay(day)
}

function Problems({ problems }: { problems: ImportLine['problems'] }) {
  return problems.map(({ message, level }) => (
    <span key={message} className="fc-import-problem" data-level={level}>
      <bdi>{message}</bdi>
    </span>
  ))
}
