import { TextInput } from '@mantine/core'
import { dayAfter } from '#contract/days.ts'
import {
  assessmentParticipants,
  type Invitation,
  INVITATION_DAYS,
} from '#contract/participants/invitations/participants.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { CopyLink } from '#web/mail/index.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { ask, askFor, showError, showNotice } from '#web/ui/overlay/dialogs.tsx'

const sendLinks = send(assessmentParticipants.send)
const sendRevoke = send(assessmentParticipants.revoke)
const extendInvitations = send(assessmentParticipants.extend)
const makeLink = send(assessmentParticipants.copyLink)

type Some = readonly Pick<Invitation, 'id' | 'name'>[]

const nameOf = (people: Some): string =>
  people.length === 1 ? (people[0]?.name ?? '') : count(people.length, 'person', 'people')

/** Emails one person a new link. If they have one already, asks first, because it stops working. */
export async function sendInvitation(invitation: Invitation): Promise<void> {
  if (invitation.sentAt !== null) {
    const isSure = await ask({
      title: `Send ${invitation.name} a new link?`,
      text: 'Links sent before stop working. Saved answers stay.',
      confirm: 'Send again',
    })
    if (!isSure) return
  }
  await sendInvitations([invitation])
}

/** Emails people new links. Links sent before stop working. */
export async function sendInvitations(people: Some): Promise<void> {
  const sent = await shown(sendLinks({ ids: people.map(({ id }) => id) }))
  if (sent !== null) toast(people.length === 1 ? 'Invitation sent' : 'Invitations sent', nameOf(people))
}

/** Makes a new link and shows it once, to be shared by other means. */
export async function copyLink({ id, name, expiresAt }: Invitation): Promise<void> {
  if (expiresAt !== null) {
    const isSure = await ask({
      title: `Make a new link for ${name}?`,
      text: 'Earlier links of this person stop working.',
      confirm: 'Make link',
    })
    if (!isSure) return
  }
  const made = await shown(makeLink({ id }))
  if (made === null) return
  showNotice(
    `Link for ${name}`,
    <>
      <p>
        <bdi>
          Anyone with this link can answer for {name}. It works until {formatDay(made.expiresAt)} and isn't
          shown again.
        </bdi>
      </p>
      <CopyLink link={made.url} />
    </>,
  )
}

/** Asks for the last day of links. An expired link works again. */
export async function extendLinks(people: readonly Invitation[], today: string): Promise<void> {
  const day = await askFor<string>('Change last day', (answer) => (
    <ExtendForm people={people} today={today} onAnswer={answer} />
  ))
  if (day !== null) toast('Last day changed', nameOf(people))
}

/** Asks, then ends the access of people. */
export async function revokeLinks(people: Some): Promise<void> {
  const isSure = await ask({
    title: `Revoke access of ${nameOf(people)}?`,
    text: 'Their links stop working immediately. Saved answers stay.',
    confirm: 'Revoke access',
    isDestructive: true,
  })
  const done = isSure ? await shown(sendRevoke({ ids: people.map(({ id }) => id) })) : null
  if (done !== null) toast('Access revoked', nameOf(people))
}

async function shown<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    showError(failure)
    return null
  }
}

type ExtendProps = {
  people: readonly Invitation[]
  today: string
  onAnswer: (day: string | null) => void
}

/** Asks until when links work. */
function ExtendForm({ people, today, onAnswer }: ExtendProps) {
  const ids = people.map(({ id }) => id)
  const call = useCallForm({
    endpoint: assessmentParticipants.extend,
    about: ids.join(),
    initial: { expiresOn: dayAfter(today, INVITATION_DAYS) },
    send: (values) => extendInvitations({ ids, ...values }),
    onDone: () => onAnswer(call.values.expiresOn),
  })
  return (
    <CallForm call={call} confirm="Change last day" onCancel={() => onAnswer(null)}>
      <TextInput
        {...call.field('expiresOn')}
        type="date"
        label="Last day"
        required
        data-autofocus
        max="2100-12-31"
        description={<bdi>Links that have expired work again until this day. No email is sent.</bdi>}
      />
    </CallForm>
  )
}
