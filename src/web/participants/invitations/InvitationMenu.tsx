import { ActionIcon, Menu } from '@mantine/core'
import { IconCalendarPlus, IconCopy, IconDots, IconLockOff, IconSend } from '@tabler/icons-react'
import { assessmentParticipants, type Invitation } from '#contract/participants/invitations/participants.ts'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { copyLink, extendLinks, revokeLinks, sendInvitation } from './invitation-actions.tsx'
import { extendLock, linkLock, revokeLock } from './invitation-labels.ts'

const ICON = { size: 16, 'aria-hidden': true } as const

type Props = {
  invitation: Invitation
  /** Why links can’t be made now, as a sentence; null if they can. */
  lock: string | null
  today: string
}

/** What can be done with the invitation of one person. */
export function InvitationMenu({ invitation, lock, today }: Props) {
  const newLink = linkLock(invitation, lock)
  return (
    <Menu position="bottom-end" width={248}>
      <Menu.Target>
        <ActionIcon variant="subtle" size={28} aria-label={`More for ${invitation.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ActionItem
          for={assessmentParticipants.send}
          lock={newLink}
          leftSection={<IconSend {...ICON} />}
          onClick={() => void sendInvitation(invitation)}
        >
          {invitation.sentAt === null ? 'Send invitation' : 'Send again'}
        </ActionItem>
        <ActionItem
          for={assessmentParticipants.copyLink}
          lock={newLink}
          leftSection={<IconCopy {...ICON} />}
          onClick={() => void copyLink(invitation)}
        >
          Copy link
        </ActionItem>
        <ActionItem
          for={assessmentParticipants.extend}
          lock={extendLock(invitation, lock)}
          leftSection={<IconCalendarPlus {...ICON} />}
          onClick={() => void extendLinks([invitation], today)}
        >
          Change last day
        </ActionItem>
        <ActionItem
          for={assessmentParticipants.revoke}
          lock={revokeLock(invitation)}
          isDestructive
          leftSection={<IconLockOff {...ICON} />}
          onClick={() => void revokeLinks([invitation])}
        >
          Revoke access
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  )
}
