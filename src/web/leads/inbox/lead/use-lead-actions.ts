import { LEAD_OUTCOMES, type LeadOutcome } from '#contract/leads/inbox/lead-list.ts'
import { LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { labelOf } from '#contract/record.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { overNewer } from '#web/ui/record/over-newer.ts'
import { timeOf } from './lead-clock.ts'

const acceptLead = send(leads.accept)
const assignLead = send(leads.assign)
const giveBackLead = send(leads.giveBack)
const releaseLead = send(leads.release)
const snoozeLead = send(leads.snooze)
const setLeadOutcome = send(leads.setOutcome)

/** What became of a lead, as it is sent. */
export type Outcome = Readonly<{
  outcome: LeadOutcome
  lostReason?: string | null
  appointmentAt?: string | null
}>

/** Shows a saved lead without reading it again. */
export function setLeadInCache(lead: LeadRecord): void {
  queryClient.setQueryData([...keyOf(leads.get), { id: lead.id }], lead)
}

/** A lead with who did something last. */
const NewerLead = LeadRecord.transform((lead) => ({
  ...lead,
  updatedBy: lead.timeline.at(-1)?.byName ?? null,
}))

function describeLead({ outcome, lostReason, ownerName, snoozedUntil, zone }: LeadRecord): string {
  const became = labelOf(LEAD_OUTCOMES, outcome)
  return [
    `Outcome: ${lostReason === null ? became : `${became}, ${lostReason}`}.`,
    `Owner: ${ownerName ?? 'no one'}.`,
    ...(snoozedUntil === null ? [] : [`${snoozedText(new Date(snoozedUntil), zone)}.`]),
  ].join(' ')
}

const snoozedText = (until: Date, zone: string): string =>
  `Snoozed until ${timeOf(until.getTime(), { now: Date.now(), zone })}`

type Act = Readonly<{
  run: (version: number) => Promise<LeadRecord>
  /** What the button says if someone else was faster. */
  confirm: string
  done: string
}>

/** What a user does with a lead, besides answering. If someone else was faster, the lead as it is now is shown, and asked about. */
export function useLeadActions({ id, version, zone }: LeadRecord) {
  const act = useMutation({
    mutationFn: ({ run, confirm }: Act) =>
      overNewer({
        thing: 'this lead',
        version,
        run,
        schema: NewerLead,
        show: setLeadInCache,
        describe: describeLead,
        confirm,
      }),
    onSuccess: (lead, { done }) => {
      if (lead === null) return
      setLeadInCache(lead)
      toast(done, lead.personName)
    },
    onError: (failure) => {
      showError(failure)
      // Someone else was faster.
      void queryClient.invalidateQueries({ queryKey: keyOf(leads.get) })
    },
  })
  /** For a dialog that stays open if it is refused: null. */
  const runInDialog = (one: Act) => act.mutateAsync(one).catch(() => null)
  const snooze = (until: Date | null): Act => ({
    run: (seen) => snoozeLead({ id, version: seen, until: until?.toISOString() ?? null }),
    confirm: until === null ? 'End snooze' : 'Snooze',
    done: until === null ? 'Snooze ended' : snoozedText(until, zone),
  })
  const become = (outcome: Outcome): Act => ({
    run: (seen) => setLeadOutcome({ id, version: seen, ...outcome }),
    confirm: `Set to ${labelOf(LEAD_OUTCOMES, outcome.outcome)}`,
    done: `Outcome: ${labelOf(LEAD_OUTCOMES, outcome.outcome)}`,
  })
  const run = (confirm: string, done: string, work: Act['run']) => act.mutate({ confirm, done, run: work })
  return {
    isPending: act.isPending,
    accept: () => run('Accept', 'Lead accepted', (seen) => acceptLead({ id, version: seen })),
    giveBack: () =>
      run('Give back', 'Lead given back', (seen) => giveBackLead({ id, version: seen, text: null })),
    release: () =>
      run('Take out of quarantine', 'Taken out of quarantine', (seen) => releaseLead({ id, version: seen })),
    assign: (userId: string | null, name: string) =>
      run(
        userId === null ? 'Remove owner' : `Assign to ${name}`,
        userId === null ? 'Lead unassigned' : `Assigned to ${name}`,
        (seen) => assignLead({ id, version: seen, userId }),
      ),
    snooze: (until: Date | null) => act.mutate(snooze(until)),
    snoozeInDialog: (until: Date) => runInDialog(snooze(until)),
    setOutcome: (outcome: Outcome) => act.mutate(become(outcome)),
    appointInDialog: (at: Date) =>
      runInDialog(become({ outcome: 'appointment', appointmentAt: at.toISOString() })),
  }
}

export type LeadActions = ReturnType<typeof useLeadActions>
