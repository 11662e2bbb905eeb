import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { factors } from '#contract/carbon/factors/factors.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'

type Props = { activity: string; value: string | null; onChange: (id: string | null) => void }

/** A factor chosen by hand, among those of the source's path; without one the rules of the inventory choose. */
export function FactorSelect({ activity, value, onChange }: Props) {
  const holds = useHolds()
  const mayRead = holds(factors.list.allow) === true
  const { data } = useQuery({
    ...query(factors.list, { filter: `activity == "${activity}" && isCurrent`, pageSize: 200 }),
    enabled: mayRead,
  })
  const found = (data?.results ?? [])
    .filter(({ use }) => use === 'inventory')
    .map(({ id, name, region, unit, publisher, edition }) => ({
      value: id,
      label: `${name}, ${region}, per ${unit} (${publisher} ${edition})`,
    }))
  const chosen = value !== null && found.every((one) => one.value !== value)
  return (
    <Select
      label="Factor"
      description={<bdi>Without one the rules of the inventory choose, by region and day.</bdi>}
      data={chosen ? [{ value, label: `Factor ${value}` }, ...found] : found}
      value={value}
      onChange={onChange}
      readOnly={!mayRead}
      placeholder="By the rules"
      searchable
      clearable
      nothingFoundMessage="No factor of this path: add an own one"
    />
  )
}
