import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { runAssessmentSchedules } from '#server/assessments/index.ts'
import { clock } from '#server/clock.ts'
import { takeDueLeadSteps } from '#server/leads/index.ts'
import { makeInvitations } from '#server/participants/index.ts'
import { freshCode } from '#test/factories/fresh.ts'
import type { World } from './world.ts'

/** What left the customer. `queued`: emails that were written meanwhile. */
type Left = { emails: number; webhooks: number; queued: number }

/**
 * Makes one of everything that leaves a customer without a user: an email to a buyer, deliveries by email and webhook, a notice
 * to the owner of a lead, and a reminder of a questionnaire. `work` runs everything that runs in the background.
 */
export async function prepareOutgoing({ forecourt, place }: World): Promise<{ work: () => Promise<Left> }> {
  const { owner, jobsPool: queue, appPool: pool, identity, outbox } = forecourt
  // Reminders are sent during working hours, of the stores in California, too.
  clock.set('2026-11-24T19:00:00Z')
  await place.call(leads.sendEmail, { id: await place.addLead(), subject: 'Your question', text: 'Yes.' })
  await place.addLeadDelivery()
  const { id } = await place.call(leadDestinations.add, {
    name: freshCode('Hook'),
    kind: 'webhook',
    url: 'https://localhost:9/none',
  })
  await place.call(leadDestinations.sendTest, { id })
  const userId = await place.addMember({ userName: freshCode('owner.'), userType: 'Dealer user' })
  await place.call(leads.assign, { id: await place.addLead(), userId })
  const asked = await place.addAssessment()
  await place.addParticipant({ to: asked })
  await place.call(assessments.update, { id: asked.id, remindUntouchedDays: 20 })
  const count = async () => {
    const { rows } = await owner.query<{ emails: number; mails: number; webhooks: number }>(
      `select (select count(*)::int from outbox_mails where customer_id = $1 and state = 'sent') as emails,
        (select count(*)::int from outbox_mails where customer_id = $1) as mails,
        (select coalesce(sum(attempts), 0)::int from lead_deliveries where customer_id = $1 and kind = 'webhook') as webhooks`,
      [place.customerId],
    )
    return { emails: 0, mails: 0, webhooks: 0, ...rows[0] }
  }
  return {
    async work() {
      const before = await count()
      await takeDueLeadSteps({ queue, pool, put: outbox.put, base: () => 'https://forecourt.example' })
      await runAssessmentSchedules({ queue, pool, identity, invitations: makeInvitations(identity) })
      await forecourt.deliveries.workDue()
      await forecourt.channels.workDue()
      await forecourt.feeds.workDue()
      await forecourt.jobs.runDue()
      await outbox.deliver()
      const after = await count()
      return {
        emails: after.emails - before.emails,
        webhooks: after.webhooks - before.webhooks,
        queued: after.mails - before.mails,
      }
    },
  }
}
