import { type ComboboxItem, type OptionsFilter, Select, type SelectProps } from '@mantine/core'
import { findIndustry, INDUSTRIES, isIndustryLike } from '#contract/organizations/profile/industries.ts'
import { nameOfIndustry } from '../organization-labels.ts'

const GROUPS = ['NAICS 2022', 'NACE Rev. 2'].map((group) => ({
  group,
  items: INDUSTRIES.filter(({ classification }) => classification === group).map(({ id }) => ({
    value: id,
    label: nameOfIndustry(id),
  })),
}))

/** Finds by code, title and other search words, such as "pre-owned", "garage", "tyres". */
const findIndustries: OptionsFilter = ({ options, search }) => {
  const isFound = ({ value }: ComboboxItem) => {
    const industry = findIndustry(value)
    return industry !== undefined && isIndustryLike(industry, search)
  }
  return options.flatMap((option) => {
    if (!('items' in option)) return []
    const items = option.items.filter((item) => isFound(item))
    return items.length === 0 ? [] : [{ ...option, items }]
  })
}

/** Selects a NAICS or NACE industry: `<IndustrySelect {...record.field('industry')} />`. */
export function IndustrySelect(props: Omit<SelectProps, 'data' | 'filter'>) {
  return (
    <Select
      {...props}
      data={GROUPS}
      filter={findIndustries}
      searchable
      clearable
      placeholder="Code or search words, such as used cars"
      nothingFoundMessage="No matching industry"
    />
  )
}
