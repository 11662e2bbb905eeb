import { Select, TextInput } from '@mantine/core'
import type { Facility, LotChoice } from '#contract/organizations/facilities/facilities.ts'
import {
  FACILITY_TYPES,
  FLOOR_UNITS,
  LEASES,
  LEVELS,
  canBeIn,
} from '#contract/organizations/facilities/facility-schema.ts'
import { proposeGridRegion } from '#contract/organizations/facilities/grid-regions.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { COUNTRY_CHOICES } from '../organization-labels.ts'
import { type FacilityValues, followPlace } from './facility-form.ts'
import { GRID_CHOICES, LEASE_NAMES, LEVEL_NAMES, TYPE_NAMES, UNIT_NAMES } from './facility-labels.ts'

const LEVEL_CHOICES = LEVELS.map((value) => ({ value, label: LEVEL_NAMES[value] }))
const TYPES = FACILITY_TYPES.map((value) => ({ value, label: TYPE_NAMES[value] }))
const UNITS = FLOOR_UNITS.map((value) => ({ value, label: UNIT_NAMES[value] }))
const LEASE_CHOICES = LEASES.map((value) => ({ value, label: LEASE_NAMES[value] }))

type Props = {
  record: RecordFormState<FacilityValues, Facility>
  /** Null for a new facility; its form focuses the code. */
  facility: Facility | null
  others: readonly Facility[]
  lots: readonly LotChoice[]
}

/** The form fields of a facility, except ownership and control. */
export function FacilityFields({ record, facility, others, lots }: Props) {
  const { field, form, change } = record
  const { values } = form
  const parents = others.filter(({ id, level }) => id !== facility?.id && canBeIn(values.level, level))
  return (
    <>
      <TextInput
        {...field('code')}
        {...(facility === null && { 'data-autofocus': true })}
        required
        maxLength={20}
        autoComplete="off"
      />
      <TextInput {...field('name')} required maxLength={100} autoComplete="off" />
      <Select {...field('level')} data={LEVEL_CHOICES} allowDeselect={false} />
      <Select
        {...field('parentId')}
        data={parents.map(({ id, name, code }) => ({ value: id, label: `${name}, ${code}` }))}
        value={values.parentId || null}
        onChange={(parentId) => change({ parentId: parentId ?? '' })}
        searchable
        clearable
        placeholder="None (top level)"
        nothingFoundMessage="No facilities at a higher level"
      />
      <Select
        {...field('type')}
        data={TYPES}
        value={values.type || null}
        onChange={(type) => change({ type: type ?? '' })}
        clearable
        placeholder="Not set"
      />
      <Select
        {...field('lotId')}
        data={lots.map(({ id, name, code, facilityId }) => ({
          value: id,
          label: `${name}, ${code}`,
          disabled: facilityId !== null && facilityId !== facility?.id,
        }))}
        value={values.lotId || null}
        onChange={(lotId) => change({ lotId: lotId ?? '' })}
        searchable
        clearable
        placeholder="No lot"
        nothingFoundMessage="No lots in this organization"
      />
      <AddressFields record={record} />
      <NumberField {...field('floorArea')} takesText isText decimals={2} />
      <Select {...field('floorUnit')} data={UNITS} allowDeselect={false} />
      <NumberField {...field('staff')} takesText isText />
      <Select
        {...field('lease')}
        data={LEASE_CHOICES}
        value={values.lease || null}
        onChange={(lease) => change({ lease: lease ?? '' })}
        clearable
        placeholder="Not set"
      />
      <TextInput {...field('openedOn')} type="date" min="1800-01-01" max="2200-12-31" />
      <TextInput
        {...field('closedOn')}
        type="date"
        min="1800-01-01"
        max="2200-12-31"
        description={<bdi>A closed facility keeps its history.</bdi>}
      />
    </>
  )
}

/** The address, which suggests the grid region in the United States. */
function AddressFields({ record }: Pick<Props, 'record'>) {
  const { field, form, change } = record
  const { values } = form
  const follow = (place: Parameters<typeof followPlace>[1]) => change(followPlace(values, place))
  return (
    <>
      <TextInput {...field('address')} className="fc-wide" maxLength={200} autoComplete="off" />
      <TextInput {...field('city')} maxLength={100} autoComplete="off" />
      <TextInput
        {...field('region')}
        onChange={(event) => follow({ region: event.currentTarget.value })}
        maxLength={60}
        autoComplete="off"
      />
      <TextInput
        {...field('postalCode')}
        onChange={(event) => follow({ postalCode: event.currentTarget.value })}
        maxLength={16}
        autoComplete="off"
      />
      <Select
        {...field('country')}
        data={COUNTRY_CHOICES}
        value={values.country || null}
        onChange={(country) => follow({ country: country ?? '' })}
        searchable
        clearable
        nothingFoundMessage="No matching country"
      />
      {values.country === 'US' && (
        <Select
          {...field('gridRegion')}
          className="fc-wide"
          data={GRID_CHOICES}
          value={values.gridRegion || null}
          onChange={(gridRegion) => change({ gridRegion: gridRegion ?? '' })}
          searchable
          clearable
          description={<bdi>{explainGrid(values)}</bdi>}
          nothingFoundMessage="No matching subregion"
        />
      )}
    </>
  )
}

/** Where the grid region comes from, so that users don't trust a suggestion too much. */
function explainGrid(values: FacilityValues): string {
  const proposed = proposeGridRegion(values)
  if (proposed === null) {
    return "State and ZIP code don't determine the grid region. Look up your utility in the EPA Power Profiler."
  }
  return values.gridRegion === proposed
    ? 'Suggested by state and ZIP code. Change it if your utility is in another grid region.'
    : `State and ZIP code suggest ${proposed}.`
}
