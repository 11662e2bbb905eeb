import { CAMPAIGN_STATES, type CampaignState } from '#contract/marketing/campaigns/campaigns.ts'
import { labelOf } from '#contract/record.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const LOOKS = {
  draft: { tone: 'mute', mark: 'wait' },
  scheduled: { tone: 'info', mark: 'wait' },
  sending: { tone: 'info', mark: 'half' },
  paused: { tone: 'warn', mark: 'pause' },
  stopped: { tone: 'bad', mark: 'cross' },
  finished: { tone: 'good', mark: 'check' },
} as const

/** Where a campaign is between draft and end. */
export function CampaignStatus({ state, isPill = false }: { state: CampaignState; isPill?: boolean }) {
  return (
    <Status {...LOOKS[state]} isPill={isPill}>
      {labelOf(CAMPAIGN_STATES, state)}
    </Status>
  )
}
