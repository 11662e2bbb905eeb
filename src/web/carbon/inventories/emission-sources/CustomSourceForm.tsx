import { MultiSelect, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { capitalize } from '#contract/capitalize.ts'
import type { InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import { type CustomSource, customSources } from '#contract/carbon/inventories/custom-sources.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { query, send } from '#web/api/query.ts'
import { RecordDialog } from '#web/ui/record/RecordDialog.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { ActivityPicker } from './ActivityPicker.tsx'
import {
  ownActivity,
  SCOPE_CHOICES,
  sourceForm,
  type SourceValues,
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

/** The form of a custom source. A new one can be assigned to facilities at once. */
export function CustomSourceForm({ source, inventoryId, facilities, onAnswer }: Props) {
  return (
    <RecordDialog
      saved={source}
      thing="this source"
      form={sourceForm(facilities)}
      endpoints={customSources}
      save={({ label, facilityIds, ...fields }, change) =>
        change
          ? updateSource({ id: change.saved.id, version: change.version, ...fields })
          : addSource({
              inventoryId,
              ...fields,
              // A new activity of one's own is named when the source is: its factor is searched by that name.
              activity: fields.activity.startsWith('own/') ? ownActivity(fields.name) : fields.activity,
              label,
              facilityIds,
            })
      }
      button={source === null ? 'Add source' : 'Save source'}
      onAnswer={onAnswer}
    >
      {({ record, saved }) => (
        <SourceFields record={record} saved={saved} inventoryId={inventoryId} facilities={facilities} />
      )}
    </RecordDialog>
  )
}

type FieldsProps = Pick<Props, 'inventoryId' | 'facilities'> & {
  record: RecordFormState<SourceValues, CustomSource>
  saved: CustomSource | null
}

function SourceFields({ record: { form, field, change: set }, saved, inventoryId, facilities }: FieldsProps) {
  const { values } = form
  const errors = textsOf(form.errors)
  return (
    <>
      <TextInput
        {...field('name')}
        placeholder="Boiler 2"
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
          {...field('scope')}
          data={SCOPE_CHOICES}
          value={values.scope === '' ? null : values.scope}
          allowDeselect={false}
          required
        />
        <UnitSelect value={values.unit} error={errors['unit']} onChange={(unit) => set({ unit })} />
      </div>
      {saved === null && <Places values={values} facilities={facilities} errors={errors} onChange={set} />}
    </>
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
        group: capitalize(dimension.replaceAll(/[-_]/g, ' ')),
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
