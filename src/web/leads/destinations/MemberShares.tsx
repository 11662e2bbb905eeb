import { Box, Stack, TextInput } from '@mantine/core'
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

const COLUMN_WIDTHS = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1.5fr) repeat(3, minmax(0, 1fr))',
  gap: 8,
  alignItems: 'center',
} as const

/** The weight and the caps of each member of a team. */
export function MemberShares({ record: { form, isReadOnly }, nameOf }: Props) {
  const rows = form.values.memberShares
  if (rows.length === 0) return null
  return (
    <section className="fc-wide fc-rule-section" aria-labelledby="member-shares">
      <h3 id="member-shares">Weights and caps</h3>
      <Stack gap={6}>
        <Box style={COLUMN_WIDTHS} className="fc-small fc-soft" aria-hidden="true">
          <span>Member</span>
          {COLUMNS.map(({ name, title }) => (
            <span key={name}>{title}</span>
          ))}
        </Box>
        {rows.map(({ userId }, at) => (
          <Box key={userId} style={COLUMN_WIDTHS}>
            <bdi className="fc-small fc-cut">{nameOf(userId)}</bdi>
            {COLUMNS.map(({ name, title, placeholder }) => (
              <TextInput
                key={name}
                {...form.getInputProps(`memberShares.${at}.${name}`)}
                aria-label={`${title}: ${nameOf(userId)}`}
                placeholder={placeholder}
                inputMode="numeric"
                autoComplete="off"
                disabled={isReadOnly}
              />
            ))}
          </Box>
        ))}
      </Stack>
      <p className="fc-small fc-soft">
        {`A member with weight 2 gets twice as many leads as one with 1 (at most ${MAX_WEIGHT}). Members who have all the open leads or leads of the day that they may have are skipped; when all are, the next destination or rule gets the lead.`}
      </p>
    </section>
  )
}
