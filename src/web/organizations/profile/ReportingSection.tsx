import { Select, type ComboboxItem, type OptionsFilter, type SelectProps } from '@mantine/core'
import { CONSOLIDATIONS } from '#contract/organizations/facilities/inclusion.ts'
import {
  CONSOLIDATION_HELP,
  CONSOLIDATION_NAMES,
  COUNTRY_CHOICES,
  MONTH_CHOICES,
  nameOfIndustry,
} from '../organization-labels.ts'
import type { ProfileRecord } from './profile-record.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { findIndustry, INDUSTRIES, isIndustryLike } from '#contract/organizations/profile/industries.ts'

const currencyNames = new Intl.DisplayNames(undefined, { type: 'currency' })
const CURRENCIES = Intl.supportedValuesOf('currency').map((code) => ({
  value: code,
  label: `${code}, ${currencyNames.of(code) ?? code}`,
}))
const APPROACHES = CONSOLIDATIONS.map((value) => ({ value, label: CONSOLIDATION_NAMES[value] }))

/** The settings that carbon inventories and assessments use. */
export function ReportingSection({ record }: { record: ProfileRecord }) {
  const { field, form, change } = record
  const { industry, country, currency, fiscalYearStart, consolidation } = form.values
  return (
    <FormSection
      title="Reporting"
      text="Used for carbon inventories and assessments. Fill in all fields to complete this step."
    >
      <IndustrySelect
        {...field('industry')}
        className="fc-wide"
        value={industry || null}
        onChange={(value) => change({ industry: value ?? '' })}
      />
      <Select
        {...field('country')}
        data={COUNTRY_CHOICES}
        value={country || null}
        onChange={(value) => change({ country: value ?? '' })}
        searchable
        clearable
        nothingFoundMessage="No matching country"
      />
      <Select
        {...field('currency')}
        data={CURRENCIES}
        value={currency || null}
        onChange={(value) => change({ currency: value ?? '' })}
        limit={60}
        searchable
        clearable
        nothingFoundMessage="No matching currency"
      />
      <Select
        {...field('fiscalYearStart')}
        data={MONTH_CHOICES}
        value={fiscalYearStart || null}
        onChange={(value) => change({ fiscalYearStart: value ?? '' })}
        clearable
      />
      <Select
        {...field('consolidation')}
        data={APPROACHES}
        value={consolidation || null}
        onChange={(value) => change({ consolidation: value ?? '' })}
        clearable
        description={
          <bdi>
            {consolidation === ''
              ? 'Determines which facilities are included, and at what percentage.'
              : CONSOLIDATION_HELP[consolidation]}
          </bdi>
        }
      />
    </FormSection>
  )
}

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
function IndustrySelect(props: Omit<SelectProps, 'data' | 'filter'>) {
  return (
    <Select
      {...props}
      data={GROUPS}
      filter={findIndustries}
      searchable
      clearable
      placeholder="Code or keywords, such as used cars"
      nothingFoundMessage="No matching industry"
    />
  )
}
