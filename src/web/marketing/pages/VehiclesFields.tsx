import { MultiSelect, SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core'
import { type BlockOf, MAX_VEHICLES } from '#contract/marketing/pages/blocks.ts'
import {
  CONDITION_LABELS,
  FACETS,
  isSort,
  readSearch,
  searchPath,
  SORTS,
  type VehicleSearch,
} from '#contract/marketing/site/vehicle-search.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'

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

/** Which vehicles a block shows. Their prices are the total prices of the price engine. */
export function VehiclesFields({ block, isReadOnly, onChange }: Props) {
  const { heading, source } = block.data
  const change = (data: Partial<typeof block.data>) =>
    onChange({ ...block, data: { ...block.data, ...data } })
  return (
    <>
      <TextInput
        label="Heading"
        value={heading}
        readOnly={isReadOnly}
        maxLength={120}
        autoComplete="off"
        onChange={({ currentTarget }) => change({ heading: currentTarget.value })}
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
      {(['make', 'model', 'body', 'fuel'] as const).map((facet) => (
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
      <NumberField
        label="Total price up to"
        value={search.maxPrice ?? ''}
        readOnly={isReadOnly}
        min={1}
        max={10_000_000}
        onChange={(value) => put({ maxPrice: typeof value === 'number' ? value : null })}
      />
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

function ChosenVehicles({ ids, isReadOnly, onChange }: ChosenProps) {
  const { rows, search } = useSearchable(vehicles.list, { sort: '-updatedAt' })
  const known = rows.map(({ id, year, make, model, trim, stock }) => ({
    value: id,
    label:
      [[year, make, model, trim].filter(Boolean).join(' '), stock].filter(Boolean).join(', ') ||
      `Vehicle ${id}`,
  }))
  const missing = ids.filter((id) => !known.some(({ value }) => value === id))
  return (
    <MultiSelect
      label="Vehicles"
      data={[...missing.map((id) => ({ value: id, label: `Vehicle ${id}` })), ...known]}
      value={[...ids]}
      readOnly={isReadOnly}
      searchable={!isReadOnly}
      maxValues={MAX_VEHICLES}
      onSearchChange={search}
      nothingFoundMessage="No vehicles found"
      placeholder={ids.length === 0 ? 'Search by name, stock number or VIN' : ''}
      description={<bdi>Shown in this order. One that is sold or not published leaves the page at once.</bdi>}
      onChange={onChange}
    />
  )
}
