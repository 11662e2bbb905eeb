import { useState } from 'react'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import { PERSON_ROLES } from '#contract/assessments/targets/target-states.ts'
import {
  assessmentParticipants,
  type Invitation,
  INVITATION_STATES,
} from '#contract/participants/invitations/participants.ts'
import { labelOf } from '#contract/record.ts'
import { useToday } from '#web/session/use-today.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { RowCheck } from '#web/ui/list/selection/RowCheck.tsx'
import { extendLinks, revokeLinks, sendInvitations } from './invitation-actions.tsx'
import {
  describeExpiry,
  describeInvitation,
  extendLock,
  INVITATION_LOOKS,
  linkLock,
  revokeLock,
} from './invitation-labels.ts'
import { InvitationMenu } from './InvitationMenu.tsx'

type Props = { assessment: Assessment; invitations: readonly Invitation[] }

/** The people without an account and the status of their invitations. */
export function InvitationTable({ assessment, invitations }: Props) {
  const today = useToday()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const isOpen = assessment.status === 'open'
  const lock = isOpen ? null : 'This assessment is closed, so links no longer work.'
  const selected = invitations.filter(({ id }) => chosen.has(id))
  const toggle = (id: string, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  return (
    <>
      <div className="fc-toolbar">
        <span className="fc-grow fc-small fc-soft">
          <bdi>
            {selected.length > 0
              ? `${count(selected.length, 'person', 'people')} selected.`
              : `${count(invitations.length, 'person', 'people')} without an account.`}
          </bdi>
        </span>
        <BulkButtons selected={selected} lock={lock} today={today} />
      </div>
      <div className="fc-people-frame">
        <table className="fc-people-table" aria-label="Invitations">
          <thead>
            <tr>
              <th scope="col" className="fc-people-check">
                <RowCheck
                  label="Select all people"
                  isOn={selected.length > 0 && selected.length === invitations.length}
                  isMixed={selected.length > 0 && selected.length < invitations.length}
                  onChange={(isOn) => setChosen(new Set(isOn ? invitations.map(({ id }) => id) : []))}
                />
              </th>
              <th scope="col">Person</th>
              <th scope="col">Target</th>
              <th scope="col">Role</th>
              <th scope="col">Invitation</th>
              <th scope="col">Link works</th>
              <th scope="col">
                <span className="fc-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {invitations.map((invitation) => (
              <InvitationRow
                key={invitation.id}
                invitation={invitation}
                isOpen={isOpen}
                lock={lock}
                today={today}
                isChosen={chosen.has(invitation.id)}
                onChoose={(isOn) => toggle(invitation.id, isOn)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

type BulkProps = { selected: readonly Invitation[]; lock: string | null; today: string }

/** Each button names how many of the selected people it applies to. */
function BulkButtons({ selected, lock, today }: BulkProps) {
  if (selected.length === 0) return null
  const sendable = selected.filter((one) => linkLock(one, lock) === null)
  const extendable = selected.filter((one) => extendLock(one, lock) === null)
  const revocable = selected.filter((one) => revokeLock(one) === null)
  const none = (people: readonly Invitation[]) =>
    people.length === 0 ? "This doesn't apply to any of the selected people." : null
  return (
    <>
      <Action
        for={assessmentParticipants.send}
        variant="default"
        lock={lock ?? none(sendable)}
        onClick={() => void sendInvitations(sendable)}
      >
        Send {count(sendable.length, 'invitation', 'invitations')}
      </Action>
      <Action
        for={assessmentParticipants.extend}
        variant="default"
        lock={lock ?? none(extendable)}
        onClick={() => void extendLinks(extendable, today)}
      >
        Change last day of {extendable.length.toLocaleString()}
      </Action>
      <Action
        for={assessmentParticipants.revoke}
        variant="default"
        lock={none(revocable)}
        onClick={() => void revokeLinks(revocable)}
      >
        Revoke {revocable.length.toLocaleString()}
      </Action>
    </>
  )
}

type RowProps = {
  invitation: Invitation
  isOpen: boolean
  lock: string | null
  today: string
  isChosen: boolean
  onChoose: (isOn: boolean) => void
}

function InvitationRow({ invitation, isOpen, lock, today, isChosen, onChoose }: RowProps) {
  const { name, email, targetName, role, isDelegate, state } = invitation
  return (
    <tr data-selected={isChosen || undefined}>
      <td className="fc-people-check">
        <RowCheck label={`Select ${name}, ${targetName}`} isOn={isChosen} onChange={onChoose} />
      </td>
      <th scope="row">
        <bdi>{name}</bdi>
        <span className="fc-second">
          <bdi>{email}</bdi>
        </span>
      </th>
      <td data-label="Target">
        <bdi>{targetName}</bdi>
      </td>
      <td data-label="Role">
        {labelOf(PERSON_ROLES, role)}
        {isDelegate && <span className="fc-second">Delegated questions</span>}
      </td>
      <td data-label="Invitation">
        <Status {...INVITATION_LOOKS[state]}>{labelOf(INVITATION_STATES, state)}</Status>
        <span className="fc-second">
          <bdi>{describeInvitation(invitation, isOpen)}</bdi>
        </span>
      </td>
      <td data-label="Link works">
        <bdi>{describeExpiry(invitation) || <span className="fc-faint">–</span>}</bdi>
      </td>
      <td>
        <InvitationMenu invitation={invitation} lock={lock} today={today} />
      </td>
    </tr>
  )
}
