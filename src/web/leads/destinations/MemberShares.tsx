import { TextInput } from '@mantine/core'
import { MAX_WEIGHT } from '#contract/leads/routing/next-member.ts'
import type { LeadDestination } from '#contract/leads/destinations/lead-destinations.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { DestinationValues } from './destination-form.ts'

type Props = {
  record: RecordFormState<DestinationValues, LeadDestination>
  nameOf: (userId: string) => string
}

const COLUMNS = [
  { name: 'weight', title: 'Weight', placeholder: '1' },
  { name: 'openCap', title: 'Open leads', placeholder: 'No limit' },
  { name: 'dailyCap', title: 'Leads per day', placeholder: 'No limit' },
] as const

/** The weight and the caps of each member of a team. */
export function MemberShares({ record: { form, isReadOnly }, nameOf }: Props) {
  const rows = form.values.memberShares
  if (rows.length === 0) return null
  return (
    <section className="fc-wide fc-rule-section" aria-labelledby="member-shares">
      <h3 id="member-shares">Weights and caps</h3>
      <table className="fc-member-shares">
        <thead>
          <tr>
            <th scope="col">Member</th>
            {COLUMNS.map(({ name, title }) => (
              <th key={name} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ userId }, at) => (
            <tr key={userId}>
              <th scope="row">
                <bdi>{nameOf(userId)}</bdi>
              </th>
              {COLUMNS.map(({ name, title, placeholder }) => (
                <td key={name}>
                  <TextInput
                    {...form.getInputProps(`memberShares.${at}.${name}`)}
                    aria-label={`${title}: ${nameOf(userId)}`}
                    placeholder={placeholder}
                    inputMode="numeric"
                    autoComplete="off"
                    disabled={isReadOnly}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="fc-small fc-soft">
        {`A member with weight 2 gets twice as many leads as one with 1 (at most ${MAX_WEIGHT}). Members who have all the open leads or leads of the day that they may have are skipped; when all are, the next destination or rule gets the lead.`}
      </p>
    </section>
  )
}
