import { Checkbox, Select } from '@mantine/core'
import { type ImportPreview, activityImports } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { ColumnFields } from './ImportColumnFields.tsx'
import { ImportLines } from './ImportLines.tsx'
import { UnknownNames } from './UnknownNames.tsx'

type Props = {
  found: ImportPreview
  isReading: boolean
  isAdding: boolean
  onSheet: (sheet: string) => void
  onMapping: (mapping: ImportMapping) => void
  onImport: () => void
}

/** What a file would bring as its columns are matched now, and what keeps lines back. */
export function ImportPlan({ found, isReading, isAdding, onSheet, onMapping, onImport }: Props) {
  const { sheets, mapping, ready, warned, left, refused, sentence, isRemembered } = found
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
          value={found.sheet}
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
        <p className="fc-small fc-soft">The columns are matched as in the last file of this form.</p>
      )}
      <UnknownNames
        title="Facilities nobody knows"
        names={found.unknownFacilities}
        choices={found.facilities.map(({ id, name }) => ({ value: id, label: name }))}
        onName={(text, id) => onMapping({ ...mapping, facilities: { ...mapping.facilities, [text]: id } })}
      />
      <UnknownNames
        title="Sources nobody knows"
        names={found.unknownSources}
        choices={found.sourceTypes.map(({ id, title }) => ({ value: id, label: title }))}
        onName={(text, id) => onMapping({ ...mapping, sources: { ...mapping.sources, [text]: id } })}
      />
      <ColumnFields found={found} isReading={isReading} onMapping={onMapping} />
      <ImportLines found={found} />
      {warned + left > 0 && (
        <Checkbox
          label={`Leave out ${count(warned + left, 'unusual line', 'unusual lines')}`}
          checked={mapping.leavesWarned}
          disabled={isReading}
          onChange={(event) => onMapping({ ...mapping, leavesWarned: event.currentTarget.checked })}
        />
      )}
      <div>
        <Action
          for={activityImports.add}
          lock={lockOf(found, isReading)}
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
  if (isReading) return 'The file is being read.'
  return ready === 0 ? sentence : null
}
