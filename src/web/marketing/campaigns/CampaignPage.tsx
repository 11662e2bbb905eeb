import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Campaign, CAMPAIGN_REASONS, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { live } from '#web/api/live.ts'
import { query, send } from '#web/api/query.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { useLoad } from '#web/ui/record/Loaded.tsx'
import { RecordPage } from '#web/ui/record/RecordPage.tsx'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { campaignForm, type CampaignFormState, type CampaignValues } from './campaign-form.ts'
import { CampaignHeader } from './CampaignHeader.tsx'
import { ChecksTab } from './ChecksTab.tsx'
import { EmailTab } from './EmailTab.tsx'
import { AudienceTab } from './AudienceTab.tsx'
import { ScheduleTab } from './ScheduleTab.tsx'

const FunnelTab = lazy(async () => ({ default: (await import('./FunnelTab.tsx')).FunnelTab }))
const RecipientsTab = lazy(async () => ({ default: (await import('./RecipientsTab.tsx')).RecipientsTab }))
const route = getRouteApi('/shell/dvp/campaigns/$id')
const updateCampaign = send(campaigns.update)
const ENDPOINTS = { get: campaigns.get, update: campaigns.update }

/** One campaign: its funnel, email, audience, schedule, recipients and checks. */
export function CampaignPage() {
  const { id } = route.useParams()
  const campaign = useLoad(live(query(campaigns.get, { id }), { while: isMoving }))
  return (
    <div className="fc-list">
      {campaign.data === undefined && <PageHeader title="Campaign" context="" />}
      <RecordPage
        key={id}
        load={campaign}
        noun="campaign"
        thing="this campaign"
        shape="spinner"
        form={campaignForm}
        endpoints={ENDPOINTS}
        cachedBy={({ id: of }) => ({ id: of })}
        isLocked={({ state }) => state !== 'draft' && state !== 'paused'}
        save={(input, change) => updateCampaign({ ...input, id, version: change?.version })}
        nameOf={({ name }) => name}
        show={showField}
        className="fc-form"
      >
        {(record, saved) => saved && <CampaignTabs record={record} campaign={saved} />}
      </RecordPage>
    </div>
  )
}

const isMoving = (campaign: Campaign | undefined): boolean =>
  campaign?.state === 'sending' || campaign?.state === 'scheduled'

const showField = (name: string, values: CampaignValues): string => {
  const value: unknown = { ...values }[name]
  return typeof value === 'object' ? JSON.stringify(value) : showValue(value)
}

type Props = { record: CampaignFormState; campaign: Campaign }

const TABS = ['funnel', 'email', 'audience', 'schedule', 'recipients', 'checks'] as const
type Tab = (typeof TABS)[number]

function CampaignTabs({ record, campaign }: Props) {
  const { tab } = route.useSearch()
  const hasBegun = campaign.startedAt !== null
  const shown: Tab = tab ?? (hasBegun ? 'funnel' : 'email')
  return (
    <>
      <CampaignHeader record={record} campaign={campaign} />
      {campaign.reason !== null && <Notice>{CAMPAIGN_REASONS[campaign.reason]}</Notice>}
      <nav className="fc-tabs" aria-label="Parts of this campaign">
        {TABS.filter((one) => hasBegun || (one !== 'funnel' && one !== 'recipients')).map((one) => (
          <Link
            key={one}
            to="/dvp/campaigns/$id"
            params={{ id: campaign.id }}
            search={{ tab: one }}
            replace
            ignoreBlocker
            activeOptions={{ exact: true, includeSearch: true }}
            {...(one === shown && { 'aria-current': 'page' as const })}
          >
            {TITLES[one]}
            {one === 'recipients' && (
              <span className="fc-small fc-faint fc-number">{campaign.recipients.toLocaleString()}</span>
            )}
          </Link>
        ))}
      </nav>
      {shown === 'email' && <EmailTab record={record} campaign={campaign} />}
      {shown === 'audience' && <AudienceTab record={record} campaign={campaign} />}
      {shown === 'schedule' && <ScheduleTab record={record} campaign={campaign} />}
      {shown === 'checks' && <ChecksTab campaign={campaign} isChanged={record.changed.length > 0} />}
      <Suspense fallback={<Spinner label="Loading" />}>
        {shown === 'funnel' && <FunnelTab campaign={campaign} />}
        {shown === 'recipients' && <RecipientsTab campaign={campaign} />}
      </Suspense>
    </>
  )
}

const TITLES: Readonly<Record<Tab, string>> = {
  funnel: 'Funnel',
  email: 'Email',
  audience: 'Audience',
  schedule: 'Schedule',
  recipients: 'Recipients',
  checks: 'Checks',
}
