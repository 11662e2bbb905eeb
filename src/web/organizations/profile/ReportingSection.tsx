import { Select } from '@mantine/core'
import { CONSOLIDATIONS } from '#contract/organizations/facilities/inclusion.ts'
import {
  CONSOLIDATION_HELP,
  CONSOLIDATION_NAMES,
  COUNTRY_CHOICES,
  MONTH_CHOICES,
} from '../organization-labels.ts'
import { IndustrySelect } from './IndustrySelect.tsx'
import type { ProfileRecord } from './profile-record.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'

const currencyNames = new Intl.DisplayNames(undefined, { type: 'currency' })
const CURRENCIES = Intl.supportedValuesOf('currency').map((code) => ({
  value: code,
  label: `${code}, ${currencyNames.of(code) ?? code}`,
}))
const APPROACHES = CONSOLIDATIONS.map((value) => ({ value, label: CONSOLIDATION_NAMES[value] }))

/** What carbon and assessments ask of every organization. */
export function ReportingSection({ record }: { record: ProfileRecord }) {
  const { field, form, change } = record
  const { industry, country, currency, fiscalYearStart, consolidation } = form.values
  return (
    <FormSection
      title="Reporting"
      text="What carbon and assessments ask of every organization, entered once. The step is complete when all are filled in."
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
        nothingFoundMessage="No such country"
      />
      <Select
        {...field('currency')}
        data={CURRENCIES}
        value={currency || null}
        onChange={(value) => change({ currency: value ?? '' })}
        limit={60}
        searchable
        clearable
        nothingFoundMessage="No such currency"
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
              ? 'Which facilities count, and how much of them.'
              : CONSOLIDATION_HELP[consolidation]}
          </bdi>
        }
      />
    </FormSection>
  )
}
