import { MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { factors } from '#contract/carbon/factors/factors.ts'
import { GWP_SETS, INVENTORY_YEAR_RULES } from '#contract/carbon/inventories/inventory-schema.ts'
import { query } from '#web/api/query.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { useHolds } from '#web/session/use-session.ts'
import type { StartRecord } from './start-record.ts'

const SETS = [
  { value: 'AR6', label: 'AR6 (IPCC 2021)' },
  { value: 'AR5', label: 'AR5 (IPCC 2014)' },
  { value: 'AR4', label: 'AR4 (IPCC 2007)' },
]
const RULES = [
  { value: 'edition', label: 'Same year only' },
  { value: 'latest', label: 'Use latest available' },
]

/** The emission factors of an inventory: GWP set, edition and preferred datasets. */
export function FactorSection({ record }: { record: StartRecord }) {
  const { field, form, change } = record
  const holds = useHolds()
  const canRead = holds(factors.datasets.allow) === true
  const { data } = useQuery({ ...query(factors.datasets, {}), enabled: canRead })
  const { gwpSet, yearRule, datasets } = form.values
  const known = (data?.datasets ?? []).map(({ id, publisher, title, edition }) => ({
    value: id,
    label: `${publisher}, ${title} ${edition}`,
  }))
  // Keep chosen datasets that the user can't see.
  const unknown = datasets
    .filter((id) => known.every(({ value }) => value !== id))
    .map((value) => ({ value, label: `Dataset ${value}` }))
  return (
    <FormSection
      title="Emission factors"
      text="How activity data is converted to emissions. Without a matching factor, a source isn't calculated and is listed as missing."
    >
      <Select
        {...field('gwpSet')}
        data={SETS}
        value={gwpSet}
        allowDeselect={false}
        onChange={(value) => change({ gwpSet: GWP_SETS.find((one) => one === value) ?? gwpSet })}
      />
      <Select
        {...field('yearRule')}
        data={RULES}
        value={yearRule}
        allowDeselect={false}
        onChange={(value) =>
          change({ yearRule: INVENTORY_YEAR_RULES.find((one) => one === value) ?? yearRule })
        }
      />
      <MultiSelect
        {...field('datasets')}
        className="fc-wide"
        data={[...known, ...unknown]}
        value={datasets}
        onChange={(value) => change({ datasets: value })}
        description={<bdi>In order of preference. Custom factors always come first.</bdi>}
        searchable
        clearable
        maxValues={20}
        nothingFoundMessage="No matches"
      />
    </FormSection>
  )
}
