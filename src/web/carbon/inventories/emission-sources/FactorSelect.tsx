import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { factors } from '#contract/carbon/factors/factors.ts'
import { query } from '#web/api/query.ts'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import { useHolds } from '#web/session/use-session.ts'

type Props = { activity: string; value: string | null; onChange: (id: string | null) => void }

/** Selects a factor manually among those of the source's activity. If empty, it is selected automatically. */
export function FactorSelect({ activity, value, onChange }: Props) {
  const holds = useHolds()
  const canRead = holds(factors.list.allow) === true
  const { rows, search } = useSearchable(factors.list, {
    filter: `activity == ${JSON.stringify(activity)} && isCurrent && use == "inventory"`,
    isEnabled: canRead,
  })
  const found = rows.map((row) => ({ value: row.id, label: nameOf(row) }))
  const isUnlisted = value !== null && found.every((one) => one.value !== value)
  const unlisted = useQuery({
    ...query(factors.get, { id: value ?? '' }),
    enabled: isUnlisted && holds(factors.get.allow) === true,
  })
  return (
    <Select
      label="Factor"
      description={<bdi>Leave empty to select one automatically by region and date.</bdi>}
      data={
        isUnlisted
          ? [{ value, label: unlisted.data ? nameOf(unlisted.data) : `Factor ${value}` }, ...found]
          : found
      }
      value={value}
      onChange={onChange}
      onSearchChange={search}
      readOnly={!canRead}
      placeholder="Automatic"
      searchable
      clearable
      nothingFoundMessage="No matching factor. Add a custom factor."
    />
  )
}

type Named = { name: string; region: string; unit: string; publisher: string; edition: string }

/** "Diesel, United States, per gallon (US EPA 2025)". */
function nameOf({ name, region, unit, publisher, edition }: Named): string {
  return `${name}, ${region}, per ${unit} (${publisher} ${edition})`
}
