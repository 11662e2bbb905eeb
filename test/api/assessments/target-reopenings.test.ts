import { afterAll, beforeAll, expect, test } from 'vitest'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { targetReopenings } from '#contract/assessments/targets/target-reopenings.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { change } from '#test/factories/assessments/add-assessments.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
/** Answers everything. */
let staff: Caller
let one: Caller
let other: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  staff = await forecourt.as('super', 'Northgate Ford')
  one = await forecourt.as('northgate.admin', 'Northgate Ford')
  other = await forecourt.as('northgate.sustain', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const { approve, get, reopen } = assessmentTargets
const { request, confirm, decline, withdraw, list } = targetReopenings
const reason = 'A record is missing'

/** Answers that two people approved. */
async function approved(reviewers: readonly Caller[] = [one, other]) {
  const added = await ford.submitAssessment({ review: 'two' })
  for (const who of reviewers) await who.call(approve, { id: added.targetId })
  return added
}
const userId = async (name: string): Promise<string> => {
  const { rows } = await forecourt.owner.query<{ id: string }>('select id from users where user_name = $1', [
    name,
  ])
  return rows[0]?.id ?? ''
}

test('answers that two people approved are not reopened by one, and an open assessment keeps its two reviewers', async () => {
  const { id, targetId } = await approved()
  for (const who of [staff, one, other])
    await expect(who.call(reopen, { id: targetId, reason })).toRefuse(409, 'a second person')
  await expect(staff.call(assessments.update, { id, review: 'one' })).toRefuse(409, 'two reviewers')
  await expect(one.call(reopen, { id: targetId, reason })).toRefuse(409, 'a second person')
  await staff.call(assessments.close, { id })
  await staff.call(assessments.reopen, { id })
  await expect(one.call(reopen, { id: targetId, reason })).toRefuse(409, 'a second person')
  expect(await one.call(get, { id: targetId })).toMatchObject({ state: 'approved', approvals: 2 })
})

test('another person confirms the request, and both are in the history', async () => {
  const { targetId } = await approved()
  const asked = await one.call(request, { targetId, reason })
  expect(asked).toMatchObject({ requestedBy: 'Dana Whitfield', decision: null, isMine: true })
  await expect(other.call(request, { targetId, reason })).toRefuse(409, 'already asked')
  await expect(one.call(confirm, { id: asked.id, reason: 'x' })).toRefuse(403, 'second person')
  await expect(one.call(decline, { id: asked.id, reason: 'x' })).toRefuse(403, 'Withdraw')
  await expect(other.call(withdraw, { id: asked.id })).toRefuse(403, 'Decline')
  const opened = await other.call(confirm, { id: asked.id, reason: 'Seen on the log' })
  expect(opened).toMatchObject({ state: 'in_progress', approvedAt: null })
  expect(opened.reviews.at(-1)).toMatchObject({
    decision: 'reopened',
    comment: reason,
    decidedBy: 'Priya Raman',
  })
  await expect(other.call(confirm, { id: asked.id, reason: 'x' })).toRefuse(409, 'already confirmed')
  expect(await one.call(list, { targetId })).toMatchObject([
    { decision: 'confirmed', decisionReason: 'Seen on the log', decidedBy: 'Priya Raman', reason },
  ])
  const rewrite = forecourt.owner.query(
    `update assessment_reopenings set decision = 'declined' where id = $1`,
    [asked.id],
  )
  await expect(rewrite).rejects.toThrow(/was decided/)
})

test('a declined or withdrawn request changes nothing, and one person reopens what one approved', async () => {
  const { targetId } = await approved()
  const first = await one.call(request, { targetId, reason })
  await other.call(decline, { id: first.id, reason: 'Next year' })
  const second = await one.call(request, { targetId, reason })
  await one.call(withdraw, { id: second.id })
  expect((await one.call(get, { id: targetId })).state).toBe('approved')
  expect(await other.call(list, { targetId })).toMatchObject([
    { decision: 'withdrawn', decidedBy: 'Dana Whitfield' },
    { decision: 'declined', decisionReason: 'Next year', decidedBy: 'Priya Raman' },
  ])
  const single = await ford.submitAssessment({ review: 'one' })
  await expect(one.call(request, { targetId: single.targetId, reason })).toRefuse(409, 'not approved')
  await one.call(approve, { id: single.targetId })
  await expect(one.call(request, { targetId: single.targetId, reason })).toRefuse(409, 'by one person')
  expect((await one.call(reopen, { id: single.targetId, reason })).state).toBe('in_progress')
})

test('of the two, one did not answer', async () => {
  const { targetId } = await ford.addAssessment({ review: 'two' })
  for (const [who, code, value] of [
    [staff, 'policy', 'written'],
    [one, 'refilled', false],
  ] as const)
    await who.call(assessmentAnswers.save, { targetId, mutations: [change(code, value)] })
  await staff.call(assessmentTargets.submit, { id: targetId })
  // Two others who can approve it, which a user of this customer could do if there were one more.
  await forecourt.owner.query(
    `with steps as (insert into assessment_reviews (customer_id, organization_id, target_id, round, decision, user_id, decided_by)
      select t.customer_id, t.organization_id, t.id, 1, 'approved', x.id, 'A reviewer' from assessment_targets t,
        unnest(array[-1, -2]) x (id) where t.id = $1)
    update assessment_targets set state = 'approved', approved_at = app_now() where id = $1`,
    [targetId],
  )
  const { id } = await staff.call(request, { targetId, reason })
  await expect(one.call(confirm, { id, reason: 'Agreed' })).toRefuse(403, 'both answered')
  const [shown] = await one.call(list, { targetId })
  expect(shown?.refusal).toMatch(/both answered/)
  expect((await other.call(confirm, { id, reason: 'Agreed' })).state).toBe('in_progress')
})

test('those who can confirm are emailed, and the person who asked with the decision and its words', async () => {
  const { id, targetId } = await approved()
  const [asker, decider] = [
    { id: await userId('northgate.admin') },
    { id: await userId('northgate.sustain') },
  ]
  const newOf = async (of: { id: string }, known: number) => (await mailsTo(forecourt, of)).slice(known)
  const [ofAsker, ofDecider] = [
    (await mailsTo(forecourt, asker)).length,
    (await mailsTo(forecourt, decider)).length,
  ]
  const first = await one.call(request, { targetId, reason })
  const [mail, ...more] = await newOf(decider, ofDecider)
  expect(more).toEqual([])
  expect(mail?.subject).toMatch(/^Dana Whitfield asks to reopen Assessment /)
  expect(mail?.text).toContain(reason)
  expect(mail?.text).toContain(`/assessments/${id}/targets/${targetId}`)
  await other.call(decline, { id: first.id, reason: 'The log is complete' })
  const second = await one.call(request, { targetId, reason })
  await other.call(confirm, { id: second.id, reason: 'Seen on the log' })
  const decided = await newOf(asker, ofAsker)
  expect(decided.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Priya Raman declined your request to reopen Assessment .*, answers of /),
    expect.stringMatching(/^Priya Raman confirmed your request to reopen Assessment /),
  ])
  expect(decided.map(({ text }) => text.includes('Priya Raman wrote: The log is complete'))).toEqual([
    true,
    false,
  ])
  expect(decided[1]?.text).toContain('Seen on the log')
})
