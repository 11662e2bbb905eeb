import { IconMailFast } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import {
  campaignRecipients,
  RECIPIENT_LIST,
  RECIPIENT_STATES,
  type Recipient,
} from '#contract/marketing/campaigns/recipients.ts'
import { campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { labelOf } from '#contract/record.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { formatMoment } from '#web/ui/layout/date-format.ts'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CampaignsTabs } from './CampaignsTabs.tsx'
import { RECIPIENT_LOOKS } from './recipient-looks.ts'

const route = getRouteApi('/shell/dvp/campaigns/recipients')

/** Everyone whom campaigns are or were for, with what became of each email. */
export function RecipientsPage() {
  const search = route.useSearch()
  const { onShow } = useListRoute()
  return (
    <ListPage
      list={RECIPIENT_LIST}
      title="DVP campaigns"
      tabs={<CampaignsTabs current="Recipients" />}
      endpoint={campaignRecipients.list}
      search={search}
      onShow={onShow}
      cells={CELLS}
      widths={WIDTHS}
      block={showBlock}
      rowId={(row) => row.id}
      rowName={(row) => row.name ?? row.email}
      searches="Name, email, campaign"
      isLive
      empty={
        <EmptyState
          tone="brand"
          icon={<IconMailFast size={18} />}
          title="No recipients yet"
          text="When a campaign begins to send, everyone it is for is listed here, with what became of the email."
        >
          <Link to="/dvp/campaigns" className="fc-link">
            Go to campaigns
          </Link>
        </EmptyState>
      }
    />
  )
}

const CELLS: Cells<Recipient, keyof typeof RECIPIENT_LIST.fields> = {
  name: ({ name, email }) => <bdi>{name ?? email}</bdi>,
  email: ({ email }) => <bdi dir="ltr">{email}</bdi>,
  campaignName: (recipient) => <CampaignLink recipient={recipient} />,
  state: ({ state }) => <RecipientStatus state={state} />,
  why: ({ why }) => why !== null && <bdi title={why}>{why}</bdi>,
  mailedAt: ({ mailedAt }) => mailedAt !== null && formatMoment(mailedAt),
}

const WIDTHS = {
  name: 160,
  email: 220,
  campaignName: 180,
  state: 148,
  why: 280,
  mailedAt: 170,
  unsubscribedAt: 170,
  consent: 280,
  consentAt: 170,
}

const RecipientStatus = ({ state }: Pick<Recipient, 'state'>) => (
  <Status {...RECIPIENT_LOOKS[state]}>{labelOf(RECIPIENT_STATES, state)}</Status>
)

function CampaignLink({ recipient: { campaignId, campaignName } }: { recipient: Recipient }) {
  return (
    <MayOpen for={campaigns.get}>
      <Link to="/dvp/campaigns/$id" params={{ id: campaignId }} className="fc-link">
        <bdi>{campaignName}</bdi>
      </Link>
    </MayOpen>
  )
}

/** A row on a narrow screen. */
function showBlock(recipient: Recipient) {
  const { name, email, state, mailedAt } = recipient
  return (
    <>
      <div className="fc-block-head">
        <bdi className="fc-name">{name ?? email}</bdi>
        <span className="fc-small fc-faint">{mailedAt !== null && formatMoment(mailedAt)}</span>
      </div>
      <div className="fc-small fc-faint">
        <bdi dir="ltr">{email}</bdi>
      </div>
      <div className="fc-block-head fc-small">
        <RecipientStatus state={state} />
        <CampaignLink recipient={recipient} />
      </div>
    </>
  )
}
