import { useMutation } from '@tanstack/react-query'
import { LEAD_OUTCOMES, type LeadOutcome } from '#contract/leads/inbox/lead-list.ts'
import { type LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { labelOf } from '#contract/record.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
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

/** What a user does with a lead, besides answering. Each refusal is shown, with the lead as it is now. */
export function useLeadActions({ id, version, zone }: LeadRecord) {
  const act = useMutation({
    mutationFn: async ({ run, done }: { run: () => Promise<LeadRecord>; done: string }) => ({
      lead: await run(),
      done,
    }),
    onSuccess: ({ lead, done }) => {
      setLeadInCache(lead)
      toast(done, lead.personName)
    },
    onError: (failure) => {
      showError(failure)
      // Someone else was faster.
      void queryClient.invalidateQueries({ queryKey: keyOf(leads.get) })
    },
  })
  const of = { id, version }
  const run = (done: string, work: () => Promise<LeadRecord>) => act.mutate({ done, run: work })
  /** For a dialog that stays open if it is refused: null. */
  const runInDialog = async (done: string, work: () => Promise<LeadRecord>) => {
    const ran = await act.mutateAsync({ done, run: work }).catch(() => null)
    return ran?.lead ?? null
  }
  const snoozedUntil = (until: Date) => `Snoozed until ${timeOf(until.getTime(), { now: Date.now(), zone })}`
  const snooze = (until: Date | null) => snoozeLead({ ...of, until: until?.toISOString() ?? null })
  return {
    isPending: act.isPending,
    accept: () => run('Lead accepted', () => acceptLead(of)),
    giveBack: () => run('Lead given back', () => giveBackLead({ ...of, text: null })),
    release: () => run('Taken out of quarantine', () => releaseLead(of)),
    assign: (userId: string | null, name: string) =>
      run(userId === null ? 'Lead unassigned' : `Assigned to ${name}`, () => assignLead({ ...of, userId })),
    snooze: (until: Date | null) =>
      run(until === null ? 'Snooze ended' : snoozedUntil(until), () => snooze(until)),
    snoozeInDialog: (until: Date) => runInDialog(snoozedUntil(until), () => snooze(until)),
    setOutcome: (outcome: Outcome) =>
      run(`Outcome: ${labelOf(LEAD_OUTCOMES, outcome.outcome)}`, () => setLeadOutcome({ ...of, ...outcome })),
    appointInDialog: (at: Date) =>
      runInDialog(`Outcome: ${labelOf(LEAD_OUTCOMES, 'appointment')}`, () =>
        setLeadOutcome({ ...of, outcome: 'appointment', appointmentAt: at.toISOString() }),
      ),
  }
}

export type LeadActions = ReturnType<typeof useLeadActions>
