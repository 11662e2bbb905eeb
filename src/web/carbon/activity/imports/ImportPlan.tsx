import { Checkbox, Select } from '@mantine/core'
import { type ImportPreview, activityImports } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { ImportColumnFields } from './ImportColumnFields.tsx'
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
  const { sheets, mapping, ready, warned, left, refused, sentence, isRemembered } = preview
  const isClean = refused === 0 && ready > 0
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
      {isRemembered && (
        <p className="fc-small fc-soft">Using the column mapping of your last file with these columns.</p>
      )}
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
      <ImportColumnFields preview={preview} isReading={isReading} onMapping={onMapping} />
      <ImportLines preview={preview} />
      {warned + left > 0 && (
        <Checkbox
          label={`Skip ${count(warned + left, 'unusual line', 'unusual lines')}`}
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

function lockOf({ ready, sentence }: ImportPreview, isReading: boolean): string | null {
  if (isReading) return 'Wait until the file has been read.'
  return ready === 0 ? sentence : null
}
