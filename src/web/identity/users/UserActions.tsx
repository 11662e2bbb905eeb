import { ActionIcon, Menu } from '@mantine/core'
import {
  IconDeviceMobileOff,
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
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { type User, users } from '#contract/identity/users/users.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { send } from '#web/api/query.ts'
import { useHolds, useSession } from '#web/session/use-session.ts'
import { useIsImpersonating } from '#web/session/use-skin.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { useImpersonate } from '../impersonation/use-impersonate.tsx'
import { whyNotImpersonate } from '../impersonation/why-not.ts'
import { invalidateUsers, setUserInCache } from './set-user-in-cache.ts'
import { nameOfUser } from './user-labels.ts'

const updateUser = send(users.update)
const removeUser = send(users.remove)
const mailUser = send(users.sendPasswordMail)
const takeFactor = send(secondFactor.takeAway)

/** Mail, switch, delete. What can be taken back is not asked about. */
export function UserActions({ user }: { user: User }) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const { id, email, isActive, lock, authenticatorAt } = user
  const name = nameOfUser(user)
  const { claims } = useSession()
  const isSelf = id === claims?.impersonateUserId
  const holds = useHolds()
  const isImpersonating = useIsImpersonating()
  const impersonate = useImpersonate()

  const mail = useMutation({
    mutationFn: mailUser,
    onSuccess: async (saved) => {
      setUserInCache(saved)
      toast('Mail sent', `${name} gets a link to set a password at ${saved.email}`)
      await invalidateUsers()
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
  const takeAway = useMutation({
    mutationFn: takeFactor,
    onSuccess: async (saved) => {
      setUserInCache(saved)
      toast('Authenticator taken away', `${name} is told by mail`)
      await invalidateUsers()
    },
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
      await invalidateUsers()
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
  async function confirmTaking() {
    const isSure = await ask({
      title: `Take away the authenticator of ${name}?`,
      text: 'Do this when they lost it, and only once you know that it is they who ask. Backup codes and trusted devices go with it; they are told by mail.',
      confirm: 'Take it away',
      isDestructive: true,
    })
    if (isSure) takeAway.mutate({ id })
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
            for={secondFactor.takeAway}
            lock={lock ?? whyNoTaking({ isSelf, hasOne: authenticatorAt !== null })}
            leftSection={<IconDeviceMobileOff size={16} aria-hidden="true" />}
            onClick={() => void confirmTaking()}
          >
            Take away authenticator
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
  setUserInCache(saved)
  await invalidateUsers()
  return saved
}

function whyNoTaking({ isSelf, hasOne }: { isSelf: boolean; hasOne: boolean }): string | null {
  if (isSelf) return 'Use Security in your own menu.'
  return hasOne ? null : 'They have no authenticator.'
}

function whyNoMail({ isSelf, isActive }: { isSelf: boolean; isActive: boolean }): string | null {
  if (isSelf) return 'Use Change Password in your own menu.'
  return isActive ? null : 'Switch them on first: whoever is off cannot set a password.'
}
