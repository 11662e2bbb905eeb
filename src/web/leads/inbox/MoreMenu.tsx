import { Button, Menu } from '@mantine/core'
import {
  IconArrowsExchange,
  IconBeach,
  IconChartBar,
  IconDotsVertical,
  IconMail,
  IconMailOff,
  IconSettings,
  IconTable,
  IconTemplate,
  IconUserSearch,
  IconUsers,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { answerTemplates } from '#contract/leads/reply-templates/answer-templates.ts'
import { leadMoves } from '#contract/leads/inbox/lead-moves.ts'
import { leadNotices } from '#contract/leads/inbox/lead-notices.ts'
import { leadTeam } from '#contract/leads/routing/lead-team.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { personData } from '#contract/leads/people/person-data.ts'
import { leadAbsences } from '#contract/leads/routing/lead-absences.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { MayCall } from '#web/ui/controls/MayCall.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { showDayOff } from '../destinations/show-day-off.ts'

const updateNotices = send(leadNotices.update)
const setOwnAbsence = send(leadAbsences.setOwn)

/** The table, the templates, the settings, the response report, and what a user sets for themselves. */
export function MoreMenu() {
  const navigate = useNavigate({ from: '/customers/leads' })
  const open = (change: {
    panel?: 'responses' | 'settings' | 'templates' | 'data' | 'moved' | 'team'
    layout?: 'table'
  }) => void navigate({ search: (before) => ({ ...before, ...change }) })
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button variant="default" aria-label="More" className="fc-lead-icon">
            <IconDotsVertical size={16} stroke={1.6} aria-hidden="true" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconTable size={16} aria-hidden="true" />}
            onClick={() => open({ layout: 'table' })}
          >
            Table with export
          </Menu.Item>
          <ActionItem
            for={leadTeam.get}
            leftSection={<IconUsers size={16} aria-hidden="true" />}
            onClick={() => open({ panel: 'team' })}
          >
            Team and absences
          </ActionItem>
          <ActionItem
            for={leadMoves.moved}
            leftSection={<IconArrowsExchange size={16} aria-hidden="true" />}
            onClick={() => open({ panel: 'moved' })}
          >
            Moved leads
          </ActionItem>
          <ActionItem
            for={answerTemplates.list}
            leftSection={<IconTemplate size={16} aria-hidden="true" />}
            onClick={() => open({ panel: 'templates' })}
          >
            Answer templates
          </ActionItem>
          <ActionItem
            for={leadSettings.get}
            leftSection={<IconSettings size={16} aria-hidden="true" />}
            onClick={() => open({ panel: 'settings' })}
          >
            Lead settings
          </ActionItem>
          <ActionItem
            for={personData.find}
            leftSection={<IconUserSearch size={16} aria-hidden="true" />}
            onClick={() => open({ panel: 'data' })}
          >
            Personal data
          </ActionItem>
          <Menu.Divider />
          <MayCall for={leadAbsences.own}>
            <AbsenceItem />
          </MayCall>
          <MayCall for={leadNotices.get}>
            <NoticeItem />
          </MayCall>
        </Menu.Dropdown>
      </Menu>
      <Button
        variant="default"
        className="fc-lead-wide-only"
        leftSection={<IconChartBar size={16} aria-hidden="true" />}
        onClick={() => open({ panel: 'responses' })}
      >
        Response report
      </Button>
    </>
  )
}

/** Whether the user is emailed about their leads. */
function NoticeItem() {
  const { data } = useQuery(query(leadNotices.get, {}))
  const update = useMutation({
    mutationFn: updateNotices,
    onSuccess: ({ isOn }) =>
      toast(isOn ? 'Lead notifications by email are on' : 'Lead notifications by email are off', ''),
    onError: (failure) => showError(failure),
  })
  const isOn = data?.isOn === true
  return (
    <ActionItem
      for={leadNotices.update}
      leftSection={
        isOn ? <IconMail size={16} aria-hidden="true" /> : <IconMailOff size={16} aria-hidden="true" />
      }
      onClick={() => update.mutate({ isOn: !isOn })}
    >
      {isOn ? "Don't email me about my leads" : 'Email me about my leads'}
    </ActionItem>
  )
}

/** Whether rules give leads to the user. A longer absence is set in the panel of the team. */
function AbsenceItem() {
  const { data } = useQuery(query(leadAbsences.own, {}))
  const update = useMutation({
    mutationFn: setOwnAbsence,
    onSuccess: ({ until }) =>
      until === null
        ? toast("You're back", 'Rules give you leads again.')
        : toast("You're off today", 'Rules give you no leads. Leads that you own stay yours.'),
    onError: (failure) => showError(failure),
  })
  const until = data?.until ?? null
  return (
    <ActionItem
      for={leadAbsences.setOwn}
      leftSection={<IconBeach size={16} aria-hidden="true" />}
      onClick={() => update.mutate({ until: until === null ? 'today' : null })}
    >
      {until === null ? "I'm off today" : `I'm back (off until ${showDayOff(until)})`}
    </ActionItem>
  )
}
