import { Button, Menu } from '@mantine/core'
import { IconDotsVertical, IconTrash } from '@tabler/icons-react'
import { leadMoves } from '#contract/leads/inbox/lead-moves.ts'
import { type LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { useMayCall } from '#web/ui/controls/use-may-call.ts'
import { useNow } from '../use-now.ts'
import { timeOf } from './lead-clock.ts'
import { type LeadMenu, LeadMenus } from './LeadMenus.tsx'
import type { LeadActions } from './use-lead-actions.ts'
import { sendToStore } from './SendToStore.tsx'
import { useRemoveLead } from './use-remove-lead.ts'

type Props = {
  lead: LeadRecord
  actions: LeadActions
  menu: LeadMenu | null
  onMenu: (menu: LeadMenu | null) => void
  onRemoved: () => void
}

/** What a user can do with a lead: accept it, hand it on, put it off, close it. */
export function LeadActionBar({ lead, actions, menu, onMenu, onRemoved }: Props) {
  const { askToRemove } = useRemoveLead(lead, onRemoved)
  const heldBy = useHeldBy(lead)
  return (
    <div className="fc-lead-actions">
      {canAccept(lead) && (
        <Action for={leads.accept} lock={heldBy} loading={actions.isPending} onClick={actions.accept}>
          Accept
        </Action>
      )}
      {lead.status !== 'quarantined' && (
        <LeadMenus lead={lead} actions={actions} open={menu} onOpen={onMenu} />
      )}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button variant="default" aria-label="More actions" className="fc-lead-icon">
            <IconDotsVertical size={16} stroke={1.6} aria-hidden="true" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItem
            for={leads.giveBack}
            lock={lead.isMine ? null : 'You can only do this with leads that you own.'}
            onClick={actions.giveBack}
          >
            Give back
          </ActionItem>
          <ActionItem
            for={leadMoves.move}
            lock={whyNotSent(lead)}
            onClick={() => void sendToStore(lead, 'move', onRemoved)}
          >
            {lead.needsStore ? 'Choose store' : 'Move to another store'}
          </ActionItem>
          <ActionItem
            for={leadMoves.copy}
            lock={lead.needsStore ? 'Choose its store first.' : whyNotSent(lead)}
            onClick={() => void sendToStore(lead, 'copy', onRemoved)}
          >
            Copy to another store
          </ActionItem>
          <Menu.Divider />
          <ActionItem
            for={leads.remove}
            isDestructive
            leftSection={<IconTrash size={16} aria-hidden="true" />}
            onClick={askToRemove}
          >
            Delete lead
          </ActionItem>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

/** Why a lead can't go to another store now. */
function whyNotSent({ status }: LeadRecord): string | null {
  if (status === 'quarantined') return 'Take it out of quarantine first.'
  return status === 'duplicate' ? 'This is a duplicate. Move or copy the first lead of the buyer.' : null
}

/** Why the user can't take a lead yet: someone else has time to accept it. */
function useHeldBy({ ownerName, isMine, isManager, acceptedAt, acceptBy, zone }: LeadRecord): string | null {
  const now = useNow()
  const maySet = useMayCall(leadSettings.update)
  const isHeld = ownerName !== null && !isMine && acceptedAt === null && acceptBy !== null
  if (!isHeld || isManager || maySet || Date.parse(acceptBy) <= now) return null
  return `${ownerName} has until ${timeOf(Date.parse(acceptBy), { now, zone })} to accept this lead.`
}

/** Whether the user can still take the lead: no one has accepted it. */
export function canAccept({ acceptedAt, status, outcome }: LeadRecord): boolean {
  return (
    acceptedAt === null &&
    status !== 'quarantined' &&
    status !== 'duplicate' &&
    outcome !== 'sold' &&
    outcome !== 'lost'
  )
}

/** Who works on a lead. */
export function ownerText({ ownerName, acceptedAt, isMine }: LeadRecord): string {
  if (ownerName === null) return acceptedAt === null ? 'No owner yet' : 'No owner'
  const name = isMine ? 'you' : ownerName
  return acceptedAt === null ? `Assigned to ${name}, not accepted yet` : `Owned by ${name}`
}
