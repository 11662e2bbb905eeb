import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { customSources, type SourceActivity } from '#contract/carbon/inventories/custom-sources.ts'
import { query } from '#web/api/query.ts'

const DEBOUNCE_MS = 200
/** The choice of an activity of one's own, whose factor is added later. */
const OWN = 'own'
const OWN_LABEL = 'Other activity, with a custom factor'

type Props = {
  inventoryId: string
  /** The chosen path; `own/…` for an activity of the organization, null if none is chosen. */
  value: string | null
  error: string | undefined
  /** `found` is null for an activity of the organization. */
  onChange: (found: SourceActivity | null) => void
}

const GROUP_TITLES: Record<SourceActivity['origin'], string> = {
  own: 'Custom factors',
  imported: 'Imported factors',
  standard: 'Standard sources',
  library: 'Library',
}

/** Searches the activities of the library, of custom factors and of standard sources on the server. */
export function ActivityPicker({ inventoryId, value, error, onChange }: Props) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<SourceActivity | null>(null)
  // The picker shows the label of the choice in its search field, which isn't a search.
  const words = typed === OWN_LABEL || (chosen !== null && typed === labelOf(chosen)) ? '' : typed.trim()
  const [search] = useDebouncedValue(words, DEBOUNCE_MS)
  const { data = [], isError } = useQuery({
    ...query(customSources.findActivities, { inventory: inventoryId, search }),
    placeholderData: keepPreviousData,
  })
  const isCustom = value?.startsWith('own/') === true && chosen === null
  // An activity can be in several groups: it is listed in the first one.
  const found = [
    ...new Map(
      [...data, ...(chosen ? [chosen] : [])].toReversed().map((one) => [one.activity, one]),
    ).values(),
  ].toReversed()
  const unlisted = value !== null && !isCustom && found.every(({ activity }) => activity !== value)
  const groups = Map.groupBy(found, ({ origin }) => origin)
  return (
    <Select
      label="Activity"
      description={
        <bdi>Determines the emission factors. Search for hotel, rail, R-404A, wood or diesel.</bdi>
      }
      placeholder="Search"
      error={error ?? (isError ? "The activities can't be loaded. Check your connection." : undefined)}
      data={[
        { group: 'Not in the library', items: [{ value: OWN, label: OWN_LABEL }] },
        ...(unlisted ? [{ group: 'Current', items: [{ value, label: value }] }] : []),
        ...[...groups].map(([origin, own]) => ({
          group: GROUP_TITLES[origin],
          items: own.map((one) => ({ value: one.activity, label: labelOf(one) })),
        })),
      ]}
      // The server has searched; the choice of an own activity always stays.
      filter={({ options }) => options}
      value={isCustom ? OWN : value}
      searchable
      required
      allowDeselect={false}
      nothingFoundMessage="No matches"
      maxDropdownHeight={280}
      onSearchChange={setTyped}
      onChange={(next) => {
        const activity = found.find((one) => one.activity === next) ?? null
        if (next !== OWN && activity === null) return
        setChosen(activity)
        onChange(activity)
      }}
    />
  )
}

/** "Hotel stay, UK (GB, per room-night)". */
function labelOf({ name, regions, units }: SourceActivity): string {
  const where = regions.length > 3 ? `${regions.length} regions` : regions.join(', ')
  const per = `per ${units.slice(0, 3).join(', ')}`
  return `${name} (${where === '' ? per : `${where}, ${per}`})`
}
