import { Checkbox, MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { factors } from '#contract/carbon/factors/factors.ts'
import { GWP_SETS, INVENTORY_YEAR_RULES } from '#contract/carbon/inventories/inventory-schema.ts'
import { query } from '#web/api/query.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
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

type Props = {
  record: StartRecord
  /** Newer values of the saved GWP set; null: none. */
  newerGwps: Inventory['newerGwps']
}

/** The emission factors of an inventory: GWP set, edition and preferred datasets. */
export function FactorSection({ record, newerGwps }: Props) {
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
      {newerGwps && <NewerGwps record={record} newerGwps={newerGwps} />}
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

/** How many changed values are named; the others are counted. */
const MOST_NAMED = 4

/** Values of the GWP set that an update brought. The inventory keeps its own until this is checked and saved. */
function NewerGwps({
  record: { form, change, isReadOnly },
  newerGwps: { edition, changes },
}: {
  record: StartRecord
  newerGwps: NonNullable<Inventory['newerGwps']>
}) {
  const [own] = useState(form.values.gwpEdition)
  const named = changes.slice(0, MOST_NAMED).map(({ gas, gwp, newGwp }) => {
    const [before, after] = [gwp, newGwp].map((value) => (value === null ? 'none' : showFigure(value)))
    return `${gas} from ${before} to ${after}`
  })
  const others = changes.length - named.length
  const words = [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ')
  return (
    <Checkbox
      className="fc-wide"
      size="xs"
      checked={form.values.gwpEdition === edition}
      disabled={isReadOnly}
      onChange={(event) => change({ gwpEdition: event.currentTarget.checked ? edition : own })}
      label="Use the corrected GWP values"
      description={
        <bdi>
          The library was updated: {words}. This inventory keeps its values until you change them here, which
          recalculates it.
        </bdi>
      }
    />
  )
}
