import { useQuery } from '@tanstack/react-query'
import type { ContactChannel } from '#contract/leads/consents/consents.ts'
import type { LeadRecord } from '#contract/leads/inbox/leads.ts'
import { people, type SimilarPerson } from '#contract/leads/people/people.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { ReasonForm } from '#web/ui/call-form/ReasonForm.tsx'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { PersonForm } from './PersonForm.tsx'

const mergePeople = send(people.merge)
const undoMerge = send(people.undoMerge)
const revokeConsent = send(people.revoke)

/** Changes the contact details of the buyer. */
export function EditPerson({ lead: { person } }: { lead: LeadRecord }) {
  const edit = () =>
    void askFor<typeof person>('Contact details', (answer) => (
      <PersonForm person={person} onAnswer={answer} />
    )).then((saved) => saved && toast('Contact details saved', saved.name ?? ''))
  return (
    <Action for={people.update} variant="subtle" size="compact-xs" onClick={edit}>
      Edit
    </Action>
  )
}

const REASONS = { email: 'same email', phone: 'same phone', name: 'similar name' } as const

/** Who may be the same buyer, and who was merged. Both can be undone or left. */
export function SamePeople({ lead: { person, merges } }: { lead: LeadRecord }) {
  const { data = [] } = useQuery(query(people.similar, { id: person.id }))
  const act = useMutation({
    mutationFn: async ({ run, done }: { run: () => Promise<unknown>; done: string }) => {
      await run()
      return done
    },
    onSuccess: (done) => toast(done, person.name ?? ''),
    onError: (failure) => showError(failure),
  })
  if (data.length === 0 && merges.length === 0) return null
  return (
    <section className="fc-facts" aria-label="Same buyer">
      <h3>Same buyer?</h3>
      <ul className="fc-lead-same">
        {data.map((other) => (
          <li key={other.id}>
            <span className="fc-grow">
              <bdi>{other.name ?? other.email ?? other.phone}</bdi>
              <span className="fc-second">{similarText(other)}</span>
            </span>
            <Action
              for={people.merge}
              variant="default"
              size="compact-xs"
              loading={act.isPending}
              onClick={() =>
                act.mutate({
                  run: () => mergePeople({ keptId: person.id, mergedId: other.id }),
                  done: 'Buyers merged',
                })
              }
            >
              Merge
            </Action>
          </li>
        ))}
        {merges.map(({ id, mergedName }) => (
          <li key={id}>
            <span className="fc-grow">
              <bdi>{mergedName ?? 'Another person'}</bdi>
              <span className="fc-second">Merged into this buyer</span>
            </span>
            <Action
              for={people.undoMerge}
              variant="default"
              size="compact-xs"
              loading={act.isPending}
              onClick={() => act.mutate({ run: () => undoMerge({ id }), done: 'Merge undone' })}
            >
              Undo
            </Action>
          </li>
        ))}
      </ul>
    </section>
  )
}

function similarText({ reasons, leads }: SimilarPerson): string {
  return `${reasons.map((reason) => REASONS[reason]).join(', ')}, ${count(leads, 'lead', 'leads')}`
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

const CHANNELS = { email: 'emails', call: 'calls', text: 'texts' } as const
