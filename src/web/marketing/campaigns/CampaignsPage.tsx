import { IconMailFast, IconPlus, IconTrash } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Campaign, CAMPAIGN_LIST, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count, formatMoment } from '#web/ui/layout/date-format.ts'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { ask } from '#web/ui/overlay/dialogs.tsx'
import { CampaignsTabs } from './CampaignsTabs.tsx'
import { CampaignStatus } from './CampaignStatus.tsx'

// The pages of the other tabs come with this one: each file more is in the list that sign-in loads.
export { ImportedListsPage } from './ImportedListsPage.tsx'
export { RecipientsPage } from './RecipientsPage.tsx'

const route = getRouteApi('/shell/dvp/campaigns')
const NewCampaignDrawer = lazy(async () => ({
  default: (await import('./NewCampaignDrawer.tsx')).NewCampaignDrawer,
}))
const removeCampaigns = send(campaigns.removeMany)

const BULK: readonly BulkAction[] = [
  {
    id: 'delete',
    label: 'Delete',
    icon: <IconTrash size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: campaigns.removeMany,
    tone: 'bad',
    ask: (_selection, chosen) =>
      ask({
        title: `Delete ${count(chosen, 'campaign', 'campaigns')}?`,
        text: 'Only drafts are deleted: the figures of others are kept. You can undo this.',
        confirm: `Delete ${count(chosen, 'campaign', 'campaigns')}`,
        isDestructive: true,
      }),
    start: (selection, _count, seen) => removeCampaigns({ selection, ...seen }),
  },
]

/** The campaigns within the user's reach. One opens on its own page. */
export function CampaignsPage() {
  const search = route.useSearch()
  const { onShow, open, close } = useListRoute('drawer')
  const add = (
    <Action
      for={campaigns.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      New campaign
    </Action>
  )
  return (
    <>
      <ListPage
        list={CAMPAIGN_LIST}
        tabs={<CampaignsTabs current="Campaigns" />}
        endpoint={campaigns.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        searches="Name, subject, lot"
        actions={add}
        bulk={BULK}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconMailFast size={18} />}
            title="No campaigns yet"
            text="A campaign is one email to buyers who agreed to offers, with vehicles at their total prices of that moment and a promo page behind its button."
          >
            {add}
          </EmptyState>
        }
      />
      {search.drawer === 'new' && (
        <Suspense>
          <NewCampaignDrawer onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function Name({ campaign: { id, name } }: { campaign: Campaign }) {
  return (
    <MayOpen for={campaigns.get}>
      <Link to="/dvp/campaigns/$id" params={{ id }} className="fc-name">
        <bdi>{name}</bdi>
      </Link>
    </MayOpen>
  )
}

const CELLS: Cells<Campaign, keyof typeof CAMPAIGN_LIST.fields> = {
  name: (campaign) => (
    <>
      <Name campaign={campaign} />
      {campaign.subject !== '' && (
        <span className="fc-second fc-cut">
          <bdi>{campaign.subject}</bdi>
        </span>
      )}
    </>
  ),
  state: ({ state }) => <CampaignStatus state={state} isPill />,
  startsAt: ({ startsAt }) => startsAt !== null && formatMoment(startsAt),
}

const WIDTHS = {
  name: 320,
  state: 128,
  lotName: 180,
  recipients: 112,
  sent: 88,
  clicked: 96,
  leads: 80,
  startsAt: 170,
}

/** A row on a narrow screen. */
function showBlock(campaign: Campaign) {
  return (
    <>
      <Name campaign={campaign} />
      <div className="fc-small fc-faint">
        <bdi>{campaign.lotName}</bdi>
      </div>
      <div className="fc-block-head fc-small">
        <CampaignStatus state={campaign.state} />
        <span className="fc-soft">
          {campaign.recipients > 0 &&
            `${campaign.sent.toLocaleString()} of ${campaign.recipients.toLocaleString()} sent`}
        </span>
      </div>
    </>
  )
}
