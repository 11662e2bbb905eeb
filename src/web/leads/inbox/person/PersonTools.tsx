import type { ContactChannel } from '#contract/leads/consents/consents.ts'
import type { LeadRecord } from '#contract/leads/inbox/leads.ts'
import { people } from '#contract/leads/people/people.ts'
import { send } from '#web/api/query.ts'
import { ReasonForm } from '#web/ui/call-form/ReasonForm.tsx'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { AddContactForm } from './AddContactForm.tsx'
import { PersonForm } from './PersonForm.tsx'

const revokeConsent = send(people.revoke)
const recordConsent = send(people.consent)

/** Changes the details of the buyer, or adds a phone number or an email address. */
export function EditPerson({ lead: { person } }: { lead: LeadRecord }) {
  const add = () =>
    void askFor<typeof person>('Add phone or email', (answer) => (
      <AddContactForm person={person} onAnswer={answer} />
    )).then((saved) => saved && toast('Added', saved.name ?? ''))
  const edit = () =>
    void askFor<typeof person>('Contact details', (answer) => (
      <PersonForm person={person} onAnswer={answer} />
    )).then((saved) => saved && toast('Contact details saved', saved.name ?? ''))
  return (
    <span className="fc-row">
      <Action for={people.addContact} variant="subtle" size="compact-xs" onClick={add}>
        Add phone or email
      </Action>
      <Action for={people.update} variant="subtle" size="compact-xs" onClick={edit}>
        Edit
      </Action>
    </span>
  )
}

/** Records that the buyer doesn't want to be contacted through a channel. */
export function RecordOptOut({ lead, channel }: { lead: LeadRecord; channel: ContactChannel }) {
  const { person } = lead
  const record = () =>
    void askFor<object>(`No more ${CHANNELS[channel]}`, (answer) => (
      <ReasonForm
        label="How the buyer opted out"
        description="Kept as proof, for example: told us on the phone"
        max={500}
        missing="Enter how the buyer opted out."
        confirm="Record opt-out"
        endpoint={people.revoke}
        about={`${person.id} ${channel}`}
        send={(text) => revokeConsent({ id: person.id, channel, text })}
        onAnswer={answer}
      />
    )).then((revoked) => revoked && toast('Opt-out recorded', person.name ?? ''))
  return (
    <Action for={people.revoke} variant="subtle" size="compact-xs" onClick={record}>
      Record opt-out
    </Action>
  )
}

/** Records that the buyer agrees to be contacted through a channel. `words`: what the source says about it. */
export function RecordConsent({
  lead,
  channel,
  words = '',
}: {
  lead: LeadRecord
  channel: ContactChannel
  words?: string
}) {
  const { person } = lead
  const record = () =>
    void askFor<object>(`Consent to ${CHANNELS[channel]}`, (answer) => (
      <ReasonForm
        label="How the buyer agreed"
        description="Kept as proof, for example: asked for a call in the showroom"
        max={500}
        start={words}
        missing="Enter how the buyer agreed."
        confirm="Record consent"
        endpoint={people.consent}
        about={`${person.id} ${channel} consent`}
        send={(text) => recordConsent({ id: person.id, channel, text })}
        onAnswer={answer}
      />
    )).then((given) => given && toast('Consent recorded', person.name ?? ''))
  return (
    <Action for={people.consent} variant="subtle" size="compact-xs" onClick={record}>
      Record consent
    </Action>
  )
}

const CHANNELS = { email: 'emails', call: 'calls', text: 'texts' } as const
