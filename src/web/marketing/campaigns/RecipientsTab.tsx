import { Group, Stack, Text } from '@mantine/core'
import { type Campaign, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { campaignRecipients, RECIPIENT_STATES } from '#contract/marketing/campaigns/recipients.ts'
import { labelOf } from '#contract/record.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { RECIPIENT_LOOKS } from './recipient-looks.ts'

/** How many recipients are in each state. Each opens the list of those recipients. */
export function RecipientsTab({ campaign }: { campaign: Campaign }) {
  const ofCampaign = `campaignName == ${JSON.stringify(campaign.name)}`
  const source = live(query(campaigns.recipientCounts, { id: campaign.id }), {
    while: () => campaign.state === 'sending',
  })
  return (
    <Stack px="var(--fc-gutter)" py={16} gap={12} maw={420}>
      <Loaded query={source} what="the recipients" shape="spinner">
        {(counts) =>
          counts.length === 0 ? (
            <Text size="sm" c="dimmed">
              No one was found to send it to.
            </Text>
          ) : (
            counts.map(({ state, count }) => (
              <Group key={state} justify="space-between" wrap="nowrap">
                <Status {...RECIPIENT_LOOKS[state]}>{labelOf(RECIPIENT_STATES, state)}</Status>
                <MayOpen for={campaignRecipients.list}>
                  <Link
                    to="/dvp/campaigns/recipients"
                    search={{ filter: `${ofCampaign} && state == "${state}"` }}
                    className="fc-link fc-number"
                    aria-label={`${count.toLocaleString()} ${labelOf(RECIPIENT_STATES, state)}`}
                  >
                    {count.toLocaleString()}
                  </Link>
                </MayOpen>
              </Group>
            ))
          )
        }
      </Loaded>
      <MayOpen for={campaignRecipients.list}>
        <Link to="/dvp/campaigns/recipients" search={{ filter: ofCampaign }} className="fc-link">
          See all recipients
        </Link>
      </MayOpen>
    </Stack>
  )
}
