import { Checkbox, Select, Text } from '@mantine/core'
import { type ImportPreview, activityImports } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { ImportColumnFields } from './ImportColumnFields.tsx'
import { ImportLayout } from './ImportLayout.tsx'
import { ImportQuestions } from './ImportQuestions.tsx'
import { ImportLines } from './ImportLines.tsx'
import { UnknownNames } from './UnknownNames.tsx'

type Props = {
  preview: ImportPreview
  isReading: boolean
  isAdding: boolean
  onSheet: (sheet: string) => void
  onMapping: (mapping: ImportMapping) => void
  onImport: () => void
}

/** What a file would import with the current mapping, and why lines can't be imported. */
export function ImportPlan({ preview, isReading, isAdding, onSheet, onMapping, onImport }: Props) {
  const { sheets, mapping, ready, warned, shown, open, refused, sentence, isRemembered } = preview
  const isClean = refused + open === 0 && ready > 0 && preview.layout.isConfirmed
  // Those that were left out as unusual can be taken in again; totals lines can't.
  const skipped = mapping.leavesWarned ? shown.filter(isUnusual).length : 0
  return (
    <>
      {sheets.length > 1 && (
        <Select
          label="Sheet"
          data={sheets.map(({ name, lines }) => ({
            value: name,
            label: `${name}, ${count(lines, 'line', 'lines')}`,
          }))}
          value={preview.sheet}
          allowDeselect={false}
          onChange={(sheet) => {
            if (sheet !== null) onSheet(sheet)
          }}
        />
      )}
      <p>
        <Status tone={isClean ? 'good' : 'warn'} mark={isClean ? 'check' : 'alert'}>
          <bdi>{sentence}</bdi>
        </Status>
      </p>
      <ImportSums preview={preview} />
      {isRemembered && preview.layout.isConfirmed && (
        <p className="fc-small fc-soft">Using the column mapping of your last file with these columns.</p>
      )}
      <ImportQuestions
        questions={preview.questions.map((one) => ({
          ...one,
          answer: mapping.answers[one.id] ?? one.answer,
        }))}
        isReading={isReading}
        onAnswer={(id, answer) => onMapping({ ...mapping, answers: { ...mapping.answers, [id]: answer } })}
      />
      <UnknownNames
        title="Unknown facilities"
        names={preview.unknownFacilities}
        choices={preview.facilities.map(({ id, name }) => ({ value: id, label: name }))}
        onName={(text, id) => onMapping({ ...mapping, facilities: { ...mapping.facilities, [text]: id } })}
      />
      <UnknownNames
        title="Unknown sources"
        names={preview.unknownSources}
        choices={preview.sourceTypes.map(({ id, title }) => ({ value: id, label: title }))}
        onName={(text, id) => onMapping({ ...mapping, sources: { ...mapping.sources, [text]: id } })}
      />
      {ready > 0 ? (
        <ImportLayout preview={preview} onMapping={onMapping} />
      ) : (
        <>
          <UnusedColumns preview={preview} />
          <LinesAbove preview={preview} />
        </>
      )}
      <ImportColumnFields preview={preview} isReading={isReading} onMapping={onMapping} />
      <ImportLines preview={preview} />
      {warned + skipped > 0 && (
        <Checkbox
          label={`Leave out ${count(warned + skipped, 'unusual line', 'unusual lines')}`}
          checked={mapping.leavesWarned}
          disabled={isReading}
          onChange={(event) => onMapping({ ...mapping, leavesWarned: event.currentTarget.checked })}
        />
      )}
      <div>
        <Action
          for={activityImports.add}
          lock={lockOf(preview, isReading)}
          loading={isAdding}
          onClick={onImport}
        >
          {ready > 0 ? `Import ${count(ready, 'record', 'records')}` : 'Import'}
        </Action>
      </div>
    </>
  )
}

const isUnusual = ({ state, problems, amount }: ImportPreview['shown'][number]): boolean =>
  state === 'left' && amount !== null && problems.length > 0

/** What the ready lines add up to: their quantities by unit, and what they would emit. */
function ImportSums({ preview: { sums, kg, ready, withoutResult } }: Pick<Props, 'preview'>) {
  if (ready === 0) return null
  const quantities = sums.map(({ quantity, unit }) => `${showFigure(quantity, 9)} ${unit}`).join(' + ')
  return (
    <Text size="sm">
      <bdi>
        {quantities}
        {kg !== null && `: ${showFigure(kg)} kg CO2e`}
        {withoutResult > 0 && `. ${count(withoutResult, 'line has', 'lines have')} no result yet.`}
      </bdi>
    </Text>
  )
}

/** The columns that no field takes, before anything is imported. */
function UnusedColumns({ preview: { unused, columns } }: Pick<Props, 'preview'>) {
  if (unused.length === 0) return null
  const titles = unused.map((place) => columns[place]?.title ?? '')
  return (
    <Text size="sm">
      <bdi>
        {count(titles.length, 'column has', 'columns have')} no field: {titles.join(', ')}. The values are
        kept with each record, where you can read them. To import one, map it below.
      </bdi>
    </Text>
  )
}

/** The lines above the table: the account, the address, and notes that may matter. */
function LinesAbove({ preview: { above } }: Pick<Props, 'preview'>) {
  if (above.length === 0) return null
  return (
    <Text size="sm">
      <bdi>
        {count(above.length, 'line', 'lines')} above the table: {above.join('; ')}. The text is kept with the
        import and shown at each record.
      </bdi>
    </Text>
  )
}

function lockOf({ ready, sentence, layout }: ImportPreview, isReading: boolean): string | null {
  if (isReading) return 'Wait until the file has been read.'
  if (ready === 0) return sentence
  return layout.isConfirmed ? null : 'Check how the file is read, then confirm it.'
}
