import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import { CONSOLIDATION_NAMES, nameOfCountry, nameOfIndustry, nameOfMonth } from './organization-labels.ts'

/** The profile of the organization, including fields that aren't filled in. */
export function OrganizationFacts({ organization }: { organization: OrganizationProfile }) {
  const { legalName, industry, country, currency, fiscalYearStart, consolidation, contacts } = organization
  const facts: readonly [name: string, value: string | null][] = [
    ['Legal name', legalName],
    ['Industry', industry && nameOfIndustry(industry)],
    ['Country', country && nameOfCountry(country)],
    ['Address', addressOf(organization)],
    ['Currency', currency],
    ['Fiscal year starts in', fiscalYearStart && nameOfMonth(fiscalYearStart)],
    ['Consolidation approach', consolidation && CONSOLIDATION_NAMES[consolidation]],
    ['Time zone', organization.timeZone],
  ].map(([name, value]) => [String(name), value === null ? null : String(value)])
  return (
    <section aria-label="About">
      <h2>About</h2>
      <dl className="fc-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === null ? <span className="fc-faint">Not given</span> : <bdi>{value}</bdi>}</dd>
          </div>
        ))}
        {contacts.map(({ name, role, email, phone }) => (
          <div key={`${name} ${email}`}>
            <dt>Contact</dt>
            <dd>
              <bdi>{[name, role].filter(Boolean).join(', ')}</bdi>
              <span className="fc-second">
                <bdi>{[email, phone].filter(Boolean).join(' · ')}</bdi>
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function addressOf({ address, city, region, postalCode }: OrganizationProfile): string | null {
  const place = [region, postalCode].filter(Boolean).join(' ')
  return [address, city, place].filter(Boolean).join(', ') || null
}
