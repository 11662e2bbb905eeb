import { Autocomplete, Checkbox, MultiSelect, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BOUNDARIES, type Factor } from '#contract/carbon/factors/factor-schema.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { query } from '#web/api/query.ts'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { GWP_SETS, needsGwpSet } from '#contract/carbon/factors/resolve.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { BLANK_GAS, type FactorValues, type GasValues, UNKNOWN_GWP_SET } from './factor-form.ts'
import { BOUNDARY_NAMES } from './factor-labels.ts'

const BOUNDARY_CHOICES = BOUNDARIES.map((value) => ({ value, label: BOUNDARY_NAMES[value] }))
const SCOPE_CHOICES = [
  { value: '1', label: 'Scope 1' },
  { value: '2', label: 'Scope 2' },
  ...Array.from({ length: 15 }, (_, at) => ({ value: `3.${at + 1}`, label: `Scope 3.${at + 1}` })),
  { value: 'outside', label: 'Outside of scopes' },
]
const BASIS_CHOICES = [
  { value: 'co2e', label: 'kg CO2e' },
  { value: 'gas', label: 'kg of the gas' },
]
const GWP_CHOICES = [
  ...GWP_SETS.map((value) => ({ value, label: `${value} GWPs` })),
  { value: UNKNOWN_GWP_SET, label: 'Not stated by the source' },
]
const CALORIFIC_CHOICES = [
  { value: 'gross', label: 'Gross (higher)' },
  { value: 'net', label: 'Net (lower)' },
]
/** The most common ones; any other path can be entered. */
const ACTIVITIES = [
  'electricity/grid',
  'electricity/supplier',
  'heat/steam',
  'combustion/natural-gas',
  'losses/electricity',
]

type Props = { record: RecordFormState<FactorValues, Factor>; isNew: boolean }

/** The form fields of a custom factor. */
export function FactorFields({ record, isNew }: Props) {
  const { field, form, isReadOnly } = record
  const { data } = useQuery(query(factors.measures, {}))
  const units = data?.units.map(({ code }) => code) ?? []
  const gases = [...new Set(['CO2e', 'CO2', 'CH4', 'N2O', ...(data?.gwps.map(({ gas }) => gas) ?? [])])]
  const unit = data?.units.find(({ code }) => code === form.values.unit)
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('name')}
        {...(isNew && { 'data-autofocus': true })}
        className="fc-wide"
        required
        maxLength={200}
        autoComplete="off"
      />
      <TextInput
        {...field('region')}
        required
        maxLength={20}
        autoComplete="off"
        dir="ltr"
        description="A country such as CA, or a subregion such as CA-QC"
      />
      <Autocomplete
        {...field('activity')}
        required
        data={ACTIVITIES}
        maxLength={200}
        autoComplete="off"
        dir="ltr"
        description="Sources with this activity use the factor"
      />
      <TextInput {...field('category')} className="fc-wide" required maxLength={200} autoComplete="off" />
      <MultiSelect {...field('scopes')} required data={SCOPE_CHOICES} searchable />
      <Select {...field('boundary')} required data={BOUNDARY_CHOICES} allowDeselect={false} />
      <Autocomplete
        {...field('unit')}
        required
        data={units}
        limit={12}
        maxLength={60}
        autoComplete="off"
        dir="ltr"
      />
      {unit?.dimension === 'money' ? <PriceYearField record={record} /> : <CalorificField record={record} />}
      <TextInput {...field('validFrom')} type="date" required />
      <TextInput {...field('validTo')} type="date" />
      <GasRows record={record} gases={gases} />
      <GwpSetField record={record} />
      <Textarea
        {...field('sourceNote')}
        className="fc-wide"
        required
        autosize
        minRows={2}
        maxLength={500}
        description="Who published it, where and when, so that an auditor can find it"
      />
      <TextInput {...field('table')} maxLength={200} autoComplete="off" />
      <TextInput {...field('rows')} maxLength={200} autoComplete="off" />
      <Textarea {...field('note')} className="fc-wide" autosize minRows={1} maxLength={500} />
      <Checkbox
        {...form.getInputProps('isForAll', { type: 'checkbox' })}
        className="fc-wide"
        size="xs"
        label="For all organizations of the customer"
        disabled={isReadOnly}
      />
    </div>
  )
}

type FieldProps = Pick<Props, 'record'>

/** For units of money: the year of the prices. */
function PriceYearField({ record: { field } }: FieldProps) {
  return <TextInput {...field('priceYear')} required inputMode="numeric" autoComplete="off" dir="ltr" />
}

/** For other units: gross or net, which only fuels have. */
function CalorificField({ record: { field, form } }: FieldProps) {
  return (
    <Select
      {...field('calorificBasis')}
      value={form.values.calorificBasis === '' ? null : form.values.calorificBasis}
      onChange={(basis) => form.setFieldValue('calorificBasis', basis ?? '')}
      data={CALORIFIC_CHOICES}
      clearable
      placeholder="Not a fuel"
    />
  )
}

/** The emissions per unit, one row for each gas. */
function GasRows({ record, gases }: FieldProps & { gases: string[] }) {
  const { form, isReadOnly } = record
  return (
    <div className="fc-wide fc-form-section">
      <EditableList
        record={record}
        name="gases"
        rows={form.values.gases}
        blank={{ ...BLANK_GAS, gas: '' }}
        noun="gas"
        nameOf={({ gas }: GasValues) => gas}
        empty="Add at least one gas."
      >
        {(_gas, path) => (
          <>
            <Autocomplete
              label="Gas"
              {...form.getInputProps(`${path}.gas`)}
              readOnly={isReadOnly}
              required
              data={gases}
              limit={12}
              maxLength={40}
              autoComplete="off"
            />
            <NumberField
              takesText
              isText
              label="kg per unit"
              {...form.getInputProps(`${path}.kg`)}
              readOnly={isReadOnly}
              required
              decimals={20}
              dir="ltr"
            />
            <Select
              label="Basis"
              {...form.getInputProps(`${path}.basis`)}
              readOnly={isReadOnly}
              data={BASIS_CHOICES}
              allowDeselect={false}
            />
            <Checkbox
              {...form.getInputProps(`${path}.isBiogenic`, { type: 'checkbox' })}
              size="xs"
              label="Biogenic"
              disabled={isReadOnly}
            />
          </>
        )}
      </EditableList>
    </div>
  )
}

/** Only figures in kg CO2e have a GWP set of their own. */
function GwpSetField({ record: { field, form } }: FieldProps) {
  if (!needsGwpSet(form.values.gases)) {
    return <p className="fc-small fc-soft fc-wide">Calculated with the GWP set of each inventory.</p>
  }
  return (
    <Select
      {...field('gwpSet')}
      value={form.values.gwpSet === '' ? null : form.values.gwpSet}
      onChange={(set) => form.setFieldValue('gwpSet', set ?? '')}
      className="fc-wide"
      required
      data={GWP_CHOICES}
      allowDeselect={false}
      placeholder="Choose the set used by the source"
      description="The GWPs behind the figures in kg CO2e. Inventories with another set are flagged"
    />
  )
}
