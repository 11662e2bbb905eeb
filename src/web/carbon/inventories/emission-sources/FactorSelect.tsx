import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { factors } from '#contract/carbon/factors/factors.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'

type Props = { activity: string; value: string | null; onChange: (id: string | null) => void }

/** Selects a factor manually among those of the source's activity. If empty, it is selected automatically. */
export function FactorSelect({ activity, value, onChange }: Props) {
  const holds = useHolds()
  const canRead = holds(factors.list.allow) === true
  const { data } = useQuery({
    ...query(factors.list, { filter: `activity == "${activity}" && isCurrent`, pageSize: 200 }),
    enabled: canRead,
  })
  const found = (data?.results ?? [])
    .filter(({ use }) => use === 'inventory')
    .map(({ id, name, region, unit, publisher, edition }) => ({
      value: id,
      label: `${name}, ${region}, per ${unit} (${publisher} ${edition})`,
    }))
  const isUnlisted = value !== null && found.every((one) => one.value !== value)
  return (
    <Select
      label="Factor"
      description={<bdi>Leave empty to select one automatically by region and date.</bdi>}
      data={isUnlisted ? [{ value, label: `Factor ${value}` }, ...found] : found}
      value={value}
      onChange={onChange}
      readOnly={!canRead}
      placeholder="Automatic"
      searchable
      clearable
      nothingFoundMessage="No matching factor. Add a custom factor."
    />
  )
}
