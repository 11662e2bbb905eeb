import { Button, MultiSelect, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import { CustomSource, customSources } from '#contract/carbon/inventories/custom-sources.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { query, send } from '#web/api/query.ts'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { ActivityPicker } from './ActivityPicker.tsx'
import {
  ownActivity,
  SCOPE_CHOICES,
  type SourceValues,
  sourceValues,
  withActivity,
} from './custom-source-values.ts'

const addSource = send(customSources.add)
const updateSource = send(customSources.update)

type Props = {
  /** Null: a new one. */
  source: CustomSource | null
  inventoryId: string
  facilities: readonly InventoryFacility[]
  onAnswer: (saved: CustomSource | null) => void
}

const LABELS = {
  name: 'Name',
  activity: 'Activity',
  scope: 'Scope',
  unit: 'Unit',
  facilityIds: 'Facilities',
  label: 'Meter or asset',
}

/** The form of a custom source. A new one can be assigned to facilities at once. */
export function CustomSourceForm({ source, ...props }: Props) {
  if (source === null) return <SourceForm {...props} source={null} onKept={() => {}} />
  return (
    <LoadedRecord record={source}>
      {(loaded, keep) => <SourceForm {...props} source={loaded} onKept={keep} />}
    </LoadedRecord>
  )
}

type FormProps = Props & { onKept: (source: CustomSource) => void }

function SourceForm({ source, inventoryId, facilities, onAnswer, onKept }: FormProps) {
  const [only] = facilities
  const [blank] = useState(() => sourceValues(source, facilities.length === 1 && only ? [only.id] : []))
  const record = useRecordForm<SourceValues, CustomSource>({
    record: source,
    blank,
    toValues: (saved) => ({ ...sourceValues(saved, []), facilityIds: blank.facilityIds }),
    labels: LABELS,
    schema: CustomSource,
    endpoint: source ? customSources.update : customSources.add,
    check: () => ({}),
    save: ({ name, scope, activity, unit, label, facilityIds }, version) => {
      // A new activity of one's own is named when the source is: its factor is searched by that name.
      const own = activity?.startsWith('own/') === true && source === null ? ownActivity(name) : activity
      const fields = { name, scope, unit, activity: own ?? '' }
      return source
        ? updateSource({ id: source.id, version, ...fields })
        : addSource({ inventoryId, ...fields, label, facilityIds })
    },
    keep: onKept,
    onSaved: onAnswer,
  })
  const { form, change: set, isSaving } = record
  const { values } = form
  const errors = textsOf(form.errors)
  return (
    <RecordForm record={record} className="fc-carbon-dialog">
      <TextInput
        label="Name"
        placeholder="Boiler 2"
        value={values.name}
        error={errors['name']}
        onChange={(event) => set({ name: event.currentTarget.value })}
        data-autofocus
        required
        maxLength={80}
        autoComplete="off"
      />
      <ActivityPicker
        inventoryId={inventoryId}
        value={values.activity}
        error={errors['activity']}
        onChange={(found) => set(withActivity(values, found))}
      />
      {values.activity?.startsWith('own/') === true && (
        <p className="fc-small fc-soft">
          <bdi>
            Not calculated until you add a custom factor. Totals show &ldquo;at least&rdquo; until then.
          </bdi>
        </p>
      )}
      <div className="fc-carbon-pair">
        <Select
          label="Scope"
          data={SCOPE_CHOICES}
          value={values.scope === '' ? null : values.scope}
          error={errors['scope']}
          allowDeselect={false}
          required
          onChange={(scope) => {
            if (scope !== null) set({ scope })
          }}
        />
        <UnitSelect value={values.unit} error={errors['unit']} onChange={(unit) => set({ unit })} />
      </div>
      {source === null && <Places values={values} facilities={facilities} errors={errors} onChange={set} />}
      <div className="fc-row fc-carbon-dialog-end">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit" loading={isSaving}>
          {source === null ? 'Add source' : 'Save source'}
        </Button>
      </div>
      <StaleDialog record={record} thing="this source" />
    </RecordForm>
  )
}

function textsOf(errors: Readonly<Record<string, ReactNode>>): Record<string, string> {
  const texts = Object.entries(errors).map(([name, error]) => [name, typeof error === 'string' ? error : ''])
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

type PlacesProps = {
  values: SourceValues
  facilities: readonly InventoryFacility[]
  errors: Readonly<Record<string, string>>
  onChange: (more: Partial<SourceValues>) => void
}

function Places({ values, facilities, errors, onChange }: PlacesProps) {
  return (
    <>
      <MultiSelect
        label="Facilities"
        description={<bdi>Where it is. You can also select them in the table later.</bdi>}
        data={facilities.map(({ id, name }) => ({ value: id, label: name }))}
        value={values.facilityIds}
        error={Object.entries(errors).find(([field]) => field.endsWith('facilityId'))?.[1]}
        onChange={(facilityIds) => onChange({ facilityIds })}
        searchable
        clearable
        nothingFoundMessage="No matches"
      />
      {values.facilityIds.length === 1 && (
        <TextInput
          label="Meter or asset"
          description={<bdi>As printed on the bill. Imported files can use it to identify the source.</bdi>}
          value={values.label}
          error={errors['label']}
          onChange={(event) => onChange({ label: event.currentTarget.value })}
          maxLength={80}
          autoComplete="off"
        />
      )}
    </>
  )
}

type UnitProps = { value: string; error: string | undefined; onChange: (unit: string) => void }

/** All units by what they measure. */
function UnitSelect({ value, error, onChange }: UnitProps) {
  const { data } = useQuery({ ...query(factors.measures, {}), staleTime: Number.POSITIVE_INFINITY })
  const groups = Map.groupBy(data?.units ?? [], ({ dimension }) => dimension)
  return (
    <Select
      label="Unit"
      data={[...groups].map(([dimension, units]) => ({
        group: `${dimension.charAt(0).toUpperCase()}${dimension.slice(1).replaceAll(/[-_]/g, ' ')}`,
        items: units.map(({ code, name }) => ({
          value: code,
          label: code === name ? code : `${code}, ${name}`,
        })),
      }))}
      value={value === '' ? null : value}
      error={error}
      searchable
      required
      allowDeselect={false}
      nothingFoundMessage="No matches"
      onChange={(unit) => {
        if (unit !== null) onChange(unit)
      }}
    />
  )
}
