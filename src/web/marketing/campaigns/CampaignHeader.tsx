import { ActionIcon, Menu } from '@mantine/core'
import {
  IconChevronRight,
  IconDots,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Campaign, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { count, formatMoment } from '#web/ui/layout/date-format.ts'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import type { CampaignFormState } from './campaign-form.ts'
import {
  pauseCampaign,
  removeCampaign,
  removeLock,
  resumeCampaign,
  scheduleCampaign,
  stopCampaign,
} from './campaign-actions.ts'
import { CampaignStatus } from './CampaignStatus.tsx'

type Props = { record: CampaignFormState; campaign: Campaign }

const countAudience = send(campaigns.countAudience)

/** Name, status and actions of a campaign. */
export function CampaignHeader({ record, campaign }: Props) {
  const isChanged = record.changed.length > 0
  return (
    <header className="fc-page-header">
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/dvp/campaigns">DVP campaigns</Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <span className="fc-cut" aria-current="page">
            <bdi>{campaign.lotName}</bdi>
          </span>
        </nav>
        <div className="fc-title-row">
          <RecordHeading name={campaign.name} />
          <CampaignStatus state={campaign.state} isPill />
          {isChanged && (
            <Status tone="warn" mark="wait" isPill>
              Unsaved
            </Status>
          )}
        </div>
        <p aria-live="polite">
          <bdi>{describe(campaign)}</bdi>
        </p>
      </div>
      <div className="fc-row fc-wrap">
        <MoreMenu record={record} campaign={campaign} />
        <MainAction record={record} campaign={campaign} />
      </div>
    </header>
  )
}

function MoreMenu({ record, campaign }: Props) {
  const navigate = useNavigate()
  const report = async (change: Promise<Campaign | null>) => {
    const changed = await change
    if (changed !== null) record.keep(changed)
  }
  const isOver = ['draft', 'stopped', 'finished'].includes(campaign.state)
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={`More for ${campaign.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ActionItem
          for={campaigns.stop}
          lock={isOver ? 'Only a campaign that is scheduled, sending or paused can be stopped.' : null}
          leftSection={<IconPlayerStop size={16} aria-hidden="true" />}
          isDestructive
          onClick={() => void report(stopCampaign(campaign))}
        >
          Stop
        </ActionItem>
        <ActionItem
          for={campaigns.removeMany}
          lock={removeLock(campaign)}
          isDestructive
          leftSection={<IconTrash size={16} aria-hidden="true" />}
          onClick={() =>
            void removeCampaign(campaign).then((isRemoved) => {
              if (!isRemoved) return
              record.release()
              void navigate({ to: '/dvp/campaigns', ignoreBlocker: true })
            })
          }
        >
          Delete
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  )
}

/** What comes next for a campaign in this state. */
function MainAction({ record, campaign }: Props) {
  const onSuccess = (changed: Campaign | null) => changed && record.keep(changed)
  const pausing = useMutation({ mutationFn: pauseCampaign, onSuccess })
  const resuming = useMutation({ mutationFn: resumeCampaign, onSuccess })
  if (campaign.state === 'draft') return <ScheduleAction record={record} campaign={campaign} />
  if (campaign.state === 'sending' || campaign.state === 'scheduled')
    return (
      <Action
        for={campaigns.pause}
        variant="default"
        leftSection={<IconPlayerPause size={16} aria-hidden="true" />}
        loading={pausing.isPending}
        onClick={() => pausing.mutate(campaign)}
      >
        Pause
      </Action>
    )
  if (campaign.state !== 'paused') return null
  return (
    <Action
      for={campaigns.resume}
      lock={record.changed.length > 0 ? 'Save your changes first.' : null}
      leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
      loading={resuming.isPending}
      onClick={() => resuming.mutate(campaign)}
    >
      Resume
    </Action>
  )
}

function ScheduleAction({ record, campaign }: Props) {
  const { data: checks = [] } = useQuery(query(campaigns.checks, { id: campaign.id }))
  const failed = checks.filter(({ state }) => state === 'error')
  const scheduling = useMutation({
    mutationFn: async (given: Campaign) => {
      const counted = await countAudience({ lotId: given.lotId, audience: given.audience }).catch(() => null)
      return scheduleCampaign(given, counted?.mailed ?? null)
    },
    onSuccess: (changed) => changed && record.keep(changed),
  })
  if (failed.length > 0 && record.changed.length === 0)
    return (
      <Link
        to="/dvp/campaigns/$id"
        params={{ id: campaign.id }}
        search={{ tab: 'checks' }}
        ignoreBlocker
        className="fc-link"
      >
        Fix {count(failed.length, 'check', 'checks')} to schedule
      </Link>
    )
  return (
    <Action
      for={campaigns.schedule}
      lock={record.changed.length > 0 ? 'Save your changes first.' : null}
      saves
      leftSection={<IconSend size={16} aria-hidden="true" />}
      loading={scheduling.isPending}
      onClick={() => scheduling.mutate(campaign)}
    >
      Schedule
    </Action>
  )
}

function describe({
  state,
  startsAt,
  startedAt,
  endedAt,
  recipients,
  sent,
  unsubscribed,
  lotName,
}: Campaign): string {
  const progress = `${sent.toLocaleString()} of ${count(recipients, 'email', 'emails')} sent`
  const left = unsubscribed > 0 ? `, ${unsubscribed.toLocaleString()} unsubscribed` : ''
  if (state === 'draft') return `An email from ${lotName}. Nothing is sent until you schedule it.`
  if (state === 'scheduled') return startsAt === null ? 'Scheduled.' : `Starts ${formatMoment(startsAt)}.`
  if (state === 'sending') return `${progress}${left}.`
  if (startedAt === null) return 'Nothing was sent.'
  const ended = endedAt === null ? '' : ` Ended ${formatMoment(endedAt)}.`
  return `${progress}${left}.${ended}`
}
