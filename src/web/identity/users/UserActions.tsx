import { useMutation } from '#web/api/mutation.ts'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
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
import { useLocation, useNavigate } from '@tanstack/react-router'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { type User, users, type UserUses } from '#contract/identity/users/users.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { useHolds, useSession } from '#web/session/use-session.ts'
import { useIsImpersonating } from '#web/session/use-impersonation.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { ask, showError, showNotice } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { useImpersonate } from '../impersonation/use-impersonate.tsx'
import { whyNotImpersonate } from '../impersonation/why-not.ts'
import { setUserInCache } from './set-user-in-cache.ts'
import { nameOfUser } from './user-labels.ts'

const ICON = { size: 16, 'aria-hidden': true } as const
const updateUser = send(users.update)
const removeUser = send(users.remove)
const mailUser = send(users.sendPasswordMail)
const resetFactor = send(secondFactor.reset)

/** "2 lead destinations (Main, BR team) and 1 open lead will be left without them." */
function describeUses(uses: UserUses['uses']): string {
  if (uses.length === 0) return ''
  const parts = uses.map(({ noun, total, names }) => {
    const more = total - names.length
    const all = names.length > 0 && more > 0 ? [...names, `${more.toLocaleString()} more`] : names
    return `${total.toLocaleString()} ${noun}${all.length > 0 ? ` (${all.join(', ')})` : ''}`
  })
  return `${new Intl.ListFormat('en').format(parts)} will be left without them. `
}

/** What is left without a user who was deactivated, in words; blank if that is nothing, or can't be read. */
async function readLeft(id: string): Promise<string> {
  try {
    return describeUses((await send(users.uses)({ id })).uses).replace('will be', 'are')
  } catch (error) {
    if (error instanceof CallFailure) return ''
    throw error
  }
}

/** What the buttons do, with their questions. */
function useUserActions(user: User) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const { id, email } = user
  const name = nameOfUser(user)
  const holds = useHolds()

  const mail = useMutation({
    mutationFn: mailUser,
    onSuccess: (saved) => {
      setUserInCache(saved)
      toast('Email sent', `We sent ${saved.email} a link to set a password`)
    },
    onError: (failure) => showError(failure),
  })
  const switching = useMutation({
    mutationFn: async (nextActive: boolean) => {
      const saved = await setActive(user, nextActive)
      // Only who may delete users reads what they are used by.
      const left = !nextActive && holds(users.uses.allow) ? await readLeft(id) : ''
      return { saved, left }
    },
    onSuccess: ({ saved, left }) =>
      offerUndo({
        text: `${name} was ${saved.isActive ? 'activated' : 'deactivated'}${left === '' ? '' : `. ${left}`}`.trim(),
        undo: () => setActive(saved, !saved.isActive),
      }),
    onError: (failure) => showError(failure),
  })
  const resetSecondFactor = useMutation({
    mutationFn: resetFactor,
    onSuccess: (saved) => {
      setUserInCache(saved)
      toast('Second factor reset', `${name} will be notified by email`)
    },
    onError: (failure) => showError(failure),
  })
  const remove = useMutation({ mutationFn: removeUser })

  async function confirmMail() {
    const isSure = await ask({
      title: `Email ${name}?`,
      text: `We'll send a link to set a password to ${email}. Earlier links will stop working.`,
      confirm: 'Send email',
    })
    if (isSure) mail.mutate({ id })
  }
  async function confirmReset() {
    const isSure = await ask({
      title: `Reset the second factor of ${name}?`,
      text: "Do this only if they can't get a code and you've confirmed it's really them asking. This removes their authenticator, backup codes and trusted devices, and ends the wait after too many codes. They'll be notified by email.",
      confirm: 'Reset second factor',
      isDestructive: true,
    })
    if (isSure) resetSecondFactor.mutate({ id })
  }
  async function confirmRemoval() {
    const done = await askToRemove({
      read: users.get,
      shown: user,
      thing: 'this user',
      question: async () => {
        const { uses, refusal } = await send(users.uses)({ id })
        if (refusal !== null) {
          showNotice(`${name} can't be deleted`, <p>{refusal}</p>)
          return null
        }
        return {
          title: `Delete ${name}?`,
          text: `${describeUses(uses)}They'll be signed out everywhere. Their name stays in the audit log, and in what they approved or submitted: that is part of the record. You can't undo this.`,
          confirm: 'Delete user',
        }
      },
      run: ({ version }) => remove.mutateAsync({ id, version }),
      onRefused: (failure) => showError(failure, `${name} can't be deleted`),
    })
    if (done === null) return
    if (done !== 'gone') toast('User deleted', name)
    await navigate({ to: '/administration/users', search: state.usersSearch ?? {}, ignoreBlocker: true })
  }

  return {
    confirmMail,
    confirmReset,
    confirmRemoval,
    switchActive: switching.mutate,
    isMailing: mail.isPending,
    isSwitching: switching.isPending,
    isRemoving: remove.isPending,
  }
}

/** Actions for a user. Those that can be undone don't ask for confirmation. */
export function UserActions({ user }: { user: User }) {
  const navigate = useNavigate()
  const { id, email, isActive, lock } = user
  const name = nameOfUser(user)
  const { claims } = useSession()
  const isSelf = id === claims?.impersonateUserId
  const holds = useHolds()
  const isImpersonating = useIsImpersonating()
  const impersonate = useImpersonate()

  const { confirmMail, confirmReset, confirmRemoval, switchActive, isMailing, isSwitching, isRemoving } =
    useUserActions(user)

  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={`More for ${name}`} loading={isRemoving}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItem
            for={outbox.list}
            leftSection={<IconMail {...ICON} />}
            onClick={() =>
              void navigate({
                to: '/administration/outbox',
                search: { filter: `toEmail == ${JSON.stringify(email)}` },
              })
            }
          >
            Emails to this user
          </ActionItem>
          <ActionItem
            for={secondFactor.reset}
            lock={lock ?? (isSelf ? 'Use Security in your user menu.' : null)}
            leftSection={<IconDeviceMobileOff {...ICON} />}
            onClick={() => void confirmReset()}
          >
            Reset second factor
          </ActionItem>
          <ActionItem
            for={impersonation.impersonate}
            lock={whyNotImpersonate(
              { isSelf, isSuper: user.isSuper, isActive, lock },
              holds,
              isImpersonating,
            )}
            leftSection={<IconEye {...ICON} />}
            onClick={() => impersonate({ id, name })}
          >
            Impersonate
          </ActionItem>
          <ActionItem
            for={users.remove}
            lock={lock ?? (isSelf ? "You can't delete yourself." : null)}
            isDestructive
            leftSection={<IconTrash {...ICON} />}
            onClick={() => void confirmRemoval()}
          >
            Delete user
          </ActionItem>
        </Menu.Dropdown>
      </Menu>
      <Action
        for={users.update}
        lock={lock ?? (isSelf ? "You can't deactivate yourself." : null)}
        variant="default"
        loading={isSwitching}
        onClick={() => switchActive(!isActive)}
        leftSection={isActive ? <IconPlayerPause {...ICON} /> : <IconPlayerPlay {...ICON} />}
      >
        {isActive ? 'Deactivate' : 'Activate'}
      </Action>
      <Action
        for={users.sendPasswordMail}
        lock={lock ?? whyNoEmail({ isSelf, isActive })}
        variant="default"
        loading={isMailing}
        onClick={() => void confirmMail()}
        leftSection={<IconMailForward {...ICON} />}
      >
        Send password email
      </Action>
    </>
  )
}

async function setActive({ id, version }: User, isActive: boolean): Promise<User> {
  const saved = await updateUser({ user: { id, version, isActive } })
  setUserInCache(saved)
  return saved
}

function whyNoEmail({ isSelf, isActive }: { isSelf: boolean; isActive: boolean }): string | null {
  if (isSelf) return 'Use Change Password in your user menu.'
  return isActive ? null : "Activate this user first. Deactivated users can't set a password."
}
