import { useQuery } from '@tanstack/react-query'
import type { LeadRecord } from '#contract/leads/inbox/leads.ts'
import { people, type PersonMerge, type SimilarPerson } from '#contract/leads/people/people.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { evidenceText, joinedBecause } from '../lead/event-text.ts'
import styles from './SamePeople.module.css'

const mergePeople = send(people.merge)
const undoMerge = send(people.undoMerge)
const tellApart = send(people.tellApart)

type Act = (run: () => Promise<unknown>, done: string) => void

/** Who may be the same buyer and why, who was told apart, and who was joined. Every decision can be taken back. */
export function SamePeople({ lead: { person, merges } }: { lead: LeadRecord }) {
  const { data = [] } = useQuery(query(people.similar, { id: person.id }))
  const mutation = useMutation({
    mutationFn: async ({ run, done }: { run: () => Promise<unknown>; done: string }) => {
      await run()
      return done
    },
    onSuccess: (done) => toast(done, person.name ?? ''),
    onError: (failure) => showError(failure),
  })
  const act: Act = (run, done) => mutation.mutate({ run, done })
  const open = data.filter(({ decided }) => decided === null)
  const apart = data.filter(({ decided }) => decided !== null)
  if (data.length === 0 && merges.length === 0) return null
  const parts = [
    merges.length > 0 && count(merges.length, 'joined record', 'joined records'),
    apart.length > 0 && `${apart.length.toLocaleString()} not the same`,
  ].filter(Boolean)
  const candidate = (other: (typeof open)[number]) => (
    <Candidate key={other.id} personId={person.id} other={other} isBusy={mutation.isPending} act={act} />
  )
  return (
    <section className="fc-facts" aria-label="Same buyer">
      {open.length > 0 && (
        <>
          <div className="fc-facts-head">
            <h3>Same buyer?</h3>
          </div>
          <ul className={styles['list']}>{open.map(candidate)}</ul>
        </>
      )}
      {parts.length > 0 && (
        <details className="fc-small">
          <summary className="fc-lead-why">{sentence(parts.join(', '))}</summary>
          <ul className={styles['list']}>
            {merges.map((merge) => (
              <Joined key={merge.id} merge={merge} isBusy={mutation.isPending} act={act} />
            ))}
            {apart.map(candidate)}
          </ul>
        </details>
      )}
    </section>
  )
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

type CandidateProps = { personId: string; other: SimilarPerson; isBusy: boolean; act: Act }

/** Someone who may be the same buyer: what agrees, what differs, and the decision. */
function Candidate({ personId, other, isBusy, act }: CandidateProps) {
  const { id, decided, leads, lastLeadId } = other
  const name = other.name ?? other.email ?? other.phone ?? 'Unknown'
  const shared = { size: 'compact-xs', variant: 'default', loading: isBusy } as const
  return (
    <li>
      <p>
        {lastLeadId === null ? (
          <bdi>{name}</bdi>
        ) : (
          <Link
            from="/customers/leads"
            to="/customers/leads"
            search={(before) => ({ ...before, lead: lastLeadId })}
            className="fc-link"
          >
            {name}
          </Link>
        )}
        {`, ${count(leads, 'lead', 'leads')}`}
      </p>
      <p className="fc-small fc-soft">
        <bdi>{evidenceText(other)}</bdi>
      </p>
      {decided !== null && (
        <p className="fc-small fc-soft">
          <bdi>{`Not the same: ${decided.byName ?? 'Unknown'}, ${formatDay(decided.at)}`}</bdi>
        </p>
      )}
      <div className="fc-row">
        <Action
          {...shared}
          for={people.merge}
          aria-label={`Same buyer as ${name}`}
          onClick={() => act(() => mergePeople({ keptId: personId, mergedId: id }), 'Buyers joined')}
        >
          Same buyer
        </Action>
        {decided === null && (
          <Action
            {...shared}
            for={people.tellApart}
            aria-label={`Not the same as ${name}`}
            onClick={() => act(() => tellApart({ id: personId, otherId: id }), 'Kept as two buyers')}
          >
            Not the same
          </Action>
        )}
      </div>
    </li>
  )
}

/** A record of the buyer that came from someone else, or from another lead. */
function Joined({ merge, isBusy, act }: { merge: PersonMerge; isBusy: boolean; act: Act }) {
  const { id, mergedName, isAutomatic, reasons, byName, at, leadId } = merge
  const name = mergedName ?? 'Another person'
  const how = isAutomatic ? joinedBecause(reasons) : `Joined by ${byName ?? 'a user'}`
  return (
    <li>
      <p>
        <bdi>{leadId === null ? name : `${name}, lead ${leadId}`}</bdi>
      </p>
      <p className="fc-small fc-soft">
        <bdi>{`${how}, ${formatDay(at)}`}</bdi>
      </p>
      <div className="fc-row">
        <Action
          for={people.undoMerge}
          size="compact-xs"
          variant="default"
          loading={isBusy}
          aria-label={`Split off ${leadId === null ? name : `lead ${leadId}`}`}
          onClick={() => act(() => undoMerge({ id }), 'Split into two buyers')}
        >
          Split
        </Action>
      </div>
    </li>
  )
}
