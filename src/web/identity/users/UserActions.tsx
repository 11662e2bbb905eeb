import { ActionIcon, Menu } from '@mantine/core'
import {
  IconDots,
  IconEye,
  IconMail,
  IconMailForward,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { impersonation } from '#contract/identity/impersonation.ts'
import { type User, users } from '#contract/identity/users.ts'
import { outbox } from '#contract/mail/outbox.ts'
import { send } from '#web/api/query.ts'
import { useHolds, useSession } from '#web/session/use-session.ts'
import { useIsImpersonating } from '#web/session/use-skin.ts'
import { Action } from '#web/ui/Action.tsx'
import { ActionItem } from '#web/ui/ActionItem.tsx'
import { ask, showError } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toast.tsx'
import { offerUndo } from '#web/ui/undo.tsx'
import { useImpersonate } from '../impersonation/use-impersonate.tsx'
import { whyNotImpersonate } from '../impersonation/why-not.ts'
import { forgetUsers, keepUser } from './keep-user.ts'
import { nameOfUser } from './user-words.ts'

const updateUser = send(users.update)
const removeUser = send(users.remove)
const mailUser = send(users.sendPasswordMail)

/** Mail, switch, delete. What can be taken back is not asked about. */
export function UserActions({ user }: { user: User }) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const { id, email, isActive, lock } = user
  const name = nameOfUser(user)
  const { claims } = useSession()
  const isSelf = id === claims?.impersonateUserId
  const holds = useHolds()
  const isImpersonating = useIsImpersonating()
  const impersonate = useImpersonate()

  const mail = useMutation({
    mutationFn: mailUser,
    onSuccess: async (saved) => {
      keepUser(saved)
      toast('Mail sent', `${name} gets a link to set a password at ${saved.email}`)
      await forgetUsers()
    },
    onError: (failure) => showError(failure),
  })
  const turn = useMutation({
    mutationFn: (wanted: boolean) => turnUser(user, wanted),
    onSuccess: (saved) =>
      offerUndo({
        text: `${name} is switched ${saved.isActive ? 'on' : 'off'}`,
        undo: () => turnUser(saved, !saved.isActive),
      }),
    onError: (failure) => showError(failure),
  })
  const remove = useMutation({
    mutationFn: removeUser,
    onSuccess: async () => {
      toast('User deleted', name)
      await navigate({
        to: '/administration/users',
        search: state.usersSearch ?? {},
        ignoreBlocker: true,
      })
      await forgetUsers()
    },
    onError: (failure) => showError(failure, `${name} cannot be deleted`),
  })

  async function confirmMail() {
    const isSure = await ask({
      title: `Send ${name} a mail?`,
      text: `A link to set a password goes to ${email}. Links that were sent before stop working.`,
      confirm: 'Send mail',
    })
    if (isSure) mail.mutate({ id })
  }
  async function confirmRemoval() {
    const isSure = await ask({
      title: `Delete ${name}?`,
      text: 'They are signed out everywhere. What they did stays in the audit log under their name. This cannot be undone.',
      confirm: 'Delete user',
      isDestructive: true,
    })
    if (isSure) remove.mutate({ id })
  }

  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={`More for ${name}`} loading={remove.isPending}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItem
            for={outbox.list}
            leftSection={<IconMail size={16} aria-hidden="true" />}
            onClick={() =>
              void navigate({
                to: '/administration/outbox',
                search: { filter: `toEmail == ${JSON.stringify(email)}` },
              })
            }
          >
            Mails to this person
          </ActionItem>
          <ActionItem
            for={impersonation.impersonate}
            lock={whyNotImpersonate(
              { isSelf, isSuper: user.isSuper, isActive, lock },
              holds,
              isImpersonating,
            )}
            leftSection={<IconEye size={16} aria-hidden="true" />}
            onClick={() => impersonate({ id, name })}
          >
            Impersonate
          </ActionItem>
          <ActionItem
            for={users.remove}
            lock={lock ?? (isSelf ? 'You cannot delete yourself.' : null)}
            isDestructive
            leftSection={<IconTrash size={16} aria-hidden="true" />}
            onClick={() => void confirmRemoval()}
          >
            Delete user
          </ActionItem>
        </Menu.Dropdown>
      </Menu>
      <Action
        for={users.update}
        lock={lock ?? (isSelf ? 'You cannot switch yourself off.' : null)}
        variant="default"
        loading={turn.isPending}
        onClick={() => turn.mutate(!isActive)}
        leftSection={
          isActive ? (
            <IconPlayerPause size={16} aria-hidden="true" />
          ) : (
            <IconPlayerPlay size={16} aria-hidden="true" />
          )
        }
      >
        {isActive ? 'Switch off' : 'Switch on'}
      </Action>
      <Action
        for={users.sendPasswordMail}
        lock={lock ?? whyNoMail({ isSelf, isActive })}
        variant="default"
        loading={mail.isPending}
        onClick={() => void confirmMail()}
        leftSection={<IconMailForward size={16} aria-hidden="true" />}
      >
        Send password mail
      </Action>
    </>
  )
}

async function turnUser({ id, version }: User, isActive: boolean): Promise<User> {
  const saved = await updateUser({ user: { id, version, isActive } })
  keepUser(saved)
  await forgetUsers()
  return saved
}

function whyNoMail({ isSelf, isActive }: { isSelf: boolean; isActive: boolean }): string | null {
  if (isSelf) return 'Use Change Password in your own menu.'
  return isActive ? null : 'Switch them on first: whoever is off cannot set a password.'
}
