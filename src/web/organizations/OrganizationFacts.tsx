import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import { type Fact, FactList } from '#web/ui/record/Facts.tsx'
import { CONSOLIDATION_NAMES, nameOfCountry, nameOfIndustry, nameOfMonth } from './organization-labels.ts'

/** The profile of the organization, including fields that aren't filled in. */
export function OrganizationFacts({ organization }: { organization: OrganizationProfile }) {
  const { legalName, industry, country, currency, fiscalYearStart, consolidation, contacts } = organization
  const facts: readonly Fact[] = [
    ['Legal name', legalName],
    ['Industry', industry && nameOfIndustry(industry)],
    ['Country', country && nameOfCountry(country)],
    ['Address', addressOf(organization)],
    ['Currency', currency],
    ['Fiscal year starts in', fiscalYearStart && nameOfMonth(fiscalYearStart)],
    ['Consolidation approach', consolidation && CONSOLIDATION_NAMES[consolidation]],
    ['Time zone', organization.timeZone],
  ]
  return (
    <section aria-label="About">
      <h2>About</h2>
      <FactList
        facts={[
          ...facts.map(([name, value]): Fact => [name, value ?? NOT_GIVEN]),
          ...contacts.map((contact): Fact => ['Contact', <Contact key={contact.email} {...contact} />]),
        ]}
      />
    </section>
  )
}

const NOT_GIVEN = <span className="fc-faint">Not given</span>

function Contact({ name, role, email, phone }: OrganizationProfile['contacts'][number]) {
  return (
    <>
      <bdi>{[name, role].filter(Boolean).join(', ')}</bdi>
      <span className="fc-second">
        <bdi>{[email, phone].filter(Boolean).join(' · ')}</bdi>
      </span>
    </>
  )
}

function addressOf({ address, city, region, postalCode }: OrganizationProfile): string | null {
  const place = [region, postalCode].filter(Boolean).join(' ')
  return [address, city, place].filter(Boolean).join(', ') || null
}
