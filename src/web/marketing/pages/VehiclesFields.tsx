import { Checkbox, MultiSelect, SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core'
import { type BlockOf, MAX_VEHICLES } from '#contract/marketing/pages/blocks.ts'
import {
  CONDITION_LABELS,
  FACETS,
  isSort,
  LIMIT_NAMES,
  LIMITS,
  readSearch,
  searchPath,
  SORTS,
  type VehicleSearch,
} from '#contract/marketing/site/vehicle-search.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { useSearchable } from '#web/ui/list/use-searchable.ts'

type Props = {
  block: BlockOf<'vehicles'>
  isReadOnly: boolean
  onChange: (block: BlockOf<'vehicles'>) => void
}

const SOURCES = [
  { value: 'search', label: 'By filter' },
  { value: 'chosen', label: 'One by one' },
] as const
const SORT_CHOICES = Object.entries(SORTS).map(([value, label]) => ({ value, label }))
const CONDITIONS = Object.entries(CONDITION_LABELS).map(([value, label]) => ({ value, label }))

type HeadingProps = { heading: string; isReadOnly: boolean; onChange: (heading: string) => void }

const HeadingField = ({ heading, isReadOnly, onChange }: HeadingProps) => (
  <TextInput
    label="Heading"
    value={heading}
    readOnly={isReadOnly}
    maxLength={120}
    autoComplete="off"
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)

/** Which vehicles a block shows. Their prices are the total prices of the price engine. */
export function VehiclesFields({ block, isReadOnly, onChange }: Props) {
  const { heading, source } = block.data
  const change = (data: Partial<typeof block.data>) =>
    onChange({ ...block, data: { ...block.data, ...data } })
  return (
    <>
      <HeadingField
        heading={heading}
        isReadOnly={isReadOnly}
        onChange={(next) => change({ heading: next })}
      />
      <SegmentedControl
        aria-label="How vehicles are found"
        data={SOURCES.map(({ value, label }) => ({ value, label }))}
        value={source}
        readOnly={isReadOnly}
        onChange={(value) => change({ source: value === 'chosen' ? 'chosen' : 'search' })}
      />
      {source === 'chosen' ? (
        <ChosenVehicles
          ids={block.data.vehicleIds}
          isReadOnly={isReadOnly}
          onChange={(vehicleIds) => change({ vehicleIds })}
        />
      ) : (
        <FilterFields block={block} isReadOnly={isReadOnly} onChange={change} />
      )}
    </>
  )
}

type FilterProps = {
  block: BlockOf<'vehicles'>
  isReadOnly: boolean
  onChange: (data: Partial<BlockOf<'vehicles'>['data']>) => void
}

function FilterFields({ block: { data }, isReadOnly, onChange }: FilterProps) {
  const search = readSearch(new URLSearchParams(data.search))
  const put = (changed: Partial<VehicleSearch>) =>
    onChange({ search: searchPath({ ...search, ...changed, page: 1 }).split('?')[1] ?? '' })
  const choose = (facet: keyof typeof FACETS) => (values: string[]) =>
    put({ chosen: { ...search.chosen, [facet]: values } })
  return (
    <>
      <MultiSelect
        label={FACETS.condition}
        data={CONDITIONS}
        value={[...search.chosen.condition]}
        readOnly={isReadOnly}
        onChange={choose('condition')}
        placeholder={search.chosen.condition.length === 0 ? 'Any' : ''}
      />
      {(['make', 'model', 'body', 'fuel', 'drivetrain', 'transmission', 'color'] as const).map((facet) => (
        <TagsInput
          key={facet}
          label={FACETS[facet]}
          value={[...search.chosen[facet]]}
          readOnly={isReadOnly}
          maxTags={20}
          onChange={choose(facet)}
          placeholder={search.chosen[facet].length === 0 ? 'Any' : ''}
        />
      ))}
      {LIMIT_NAMES.map((name) => (
        <NumberField
          key={name}
          label={LIMITS[name].label}
          value={search.limits[name] ?? ''}
          readOnly={isReadOnly}
          min={1}
          max={LIMITS[name].most}
          onChange={(value) =>
            put({ limits: { ...search.limits, [name]: typeof value === 'number' ? value : null } })
          }
        />
      ))}
      <Select
        label="Sort"
        data={SORT_CHOICES}
        value={search.sort}
        readOnly={isReadOnly}
        allowDeselect={false}
        onChange={(value) => put({ sort: value !== null && isSort(value) ? value : 'newest' })}
      />
      <NumberField
        label="Show at most"
        value={data.most}
        readOnly={isReadOnly}
        min={1}
        max={MAX_VEHICLES}
        required
        onChange={(value) => typeof value === 'number' && onChange({ most: value })}
      />
    </>
  )
}

type ChosenProps = { ids: readonly string[]; isReadOnly: boolean; onChange: (ids: string[]) => void }

/** The vehicles that can be chosen, those for sale first, with those that were, which may not be among the ones that were searched for. */
function useVehicleChoices(ids: readonly string[]) {
  const { rows, search } = useSearchable(vehicles.list, { sort: '-updatedAt' })
  const isHidden = (row: (typeof rows)[number]) => row.notPublishedReason !== null
  const known = rows
    .toSorted((a, b) => Number(isHidden(a)) - Number(isHidden(b)))
    .map(({ id, year, make, model, trim, stock, notPublishedReason }) => {
      const name =
        [[year, make, model, trim].filter(Boolean).join(' '), stock].filter(Boolean).join(', ') ||
        `Vehicle ${id}`
      return {
        value: id,
        label: notPublishedReason === null ? name : `${name} (not shown: ${notPublishedReason})`,
      }
    })
  const hidden = rows.filter((row) => ids.includes(row.id) && isHidden(row)).length
  const missing = ids.filter((id) => !known.some(({ value }) => value === id))
  return {
    choices: [...missing.map((id) => ({ value: id, label: `Vehicle ${id}` })), ...known],
    hidden,
    search,
  }
}

const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are')

function ChosenVehicles({ ids, isReadOnly, onChange }: ChosenProps) {
  const { choices, hidden, search } = useVehicleChoices(ids)
  return (
    <MultiSelect
      label="Vehicles"
      data={choices}
      value={[...ids]}
      readOnly={isReadOnly}
      searchable={!isReadOnly}
      maxValues={MAX_VEHICLES}
      onSearchChange={search}
      nothingFoundMessage="No vehicles found"
      placeholder={ids.length === 0 ? 'Search by name, stock number or VIN' : ''}
      description={
        <bdi>
          Shown in this order. One that is sold or not published leaves the page at once.
          {hidden > 0 && ` Of these ${ids.length}, ${hidden} ${isOrAre(hidden)} not shown now.`}
        </bdi>
      }
      onChange={onChange}
    />
  )
}

type VehicleProps = {
  block: BlockOf<'vehicle'>
  isReadOnly: boolean
  onChange: (block: BlockOf<'vehicle'>) => void
}

const PARTS = [
  { name: 'hasPhotos', label: 'Photos' },
  { name: 'hasPrice', label: 'Price with fees and offers' },
  { name: 'hasDetails', label: 'Details' },
] as const

/** The one vehicle that a block shows, and what of it. */
export function VehicleFields({ block, isReadOnly, onChange }: VehicleProps) {
  const { heading, vehicleId } = block.data
  const { choices, search } = useVehicleChoices(vehicleId === null ? [] : [vehicleId])
  const change = (data: Partial<typeof block.data>) =>
    onChange({ ...block, data: { ...block.data, ...data } })
  return (
    <>
      <HeadingField
        heading={heading}
        isReadOnly={isReadOnly}
        onChange={(next) => change({ heading: next })}
      />
      <Select
        label="Vehicle"
        data={choices}
        value={vehicleId}
        readOnly={isReadOnly}
        searchable={!isReadOnly}
        allowDeselect={false}
        onSearchChange={search}
        nothingFoundMessage="No vehicles found"
        placeholder="Search by name, stock number or VIN"
        description={
          <bdi>When it is sold or not published, visitors read that it is no longer for sale.</bdi>
        }
        onChange={(id) => change({ vehicleId: id })}
      />
      {PARTS.map(({ name, label }) => (
        <Checkbox
          key={name}
          label={label}
          checked={block.data[name]}
          disabled={isReadOnly}
          onChange={({ currentTarget }) => change({ [name]: currentTarget.checked })}
        />
      ))}
    </>
  )
}
