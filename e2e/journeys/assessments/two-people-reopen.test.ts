// @module-tag release
import { expect, test } from 'vitest'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('answers that two people approved are reopened by two, and a declined request stays readable', async () => {
  const [admin, sustain] = [await newPage(), await newPage()]
  await signIn(admin, 'northgate.admin', 'Northgate Ford')
  await signIn(sustain, 'northgate.sustain', 'Northgate Ford')
  const { results } = await callAs(admin, assessmentTargets.list, { pageSize: 100 })
  const target = results.find(({ state }) => state === 'submitted')
  const { id = '', assessmentId = '', name = '' } = target ?? {}
  await callAs(admin, assessments.update, { id: assessmentId, review: 'two' })
  for (const who of [admin, sustain]) await callAs(who, assessmentTargets.approve, { id })

  const at = `/assessments/${assessmentId}/targets/${id}`
  const request = async (reason: string) => {
    await admin.goto(at)
    await button(admin, 'More actions').click()
    await admin.getByRole('menuitem', { name: 'Request to reopen' }).click()
    await admin.getByRole('dialog').getByLabel('Reason').fill(reason)
    await admin.getByRole('dialog').getByRole('button', { name: 'Request to reopen' }).click()
    await see(admin.getByText(`You asked to reopen ${name}`), button(admin, 'Withdraw request'))
  }
  const decide = async (what: string, confirm: string, reason: string) => {
    await sustain.goto(at)
    await see(sustain.getByText(`Dana Whitfield asks to reopen ${name}`))
    await button(sustain, what).click()
    await sustain.getByRole('dialog').getByLabel('Reason').fill(reason)
    await sustain.getByRole('dialog').getByRole('button', { name: confirm }).click()
  }
  await request('A meter is missing')
  await decide('Decline', 'Decline request', 'The meter belongs to the tenant')
  await button(sustain, 'More actions').click()
  await sustain.getByRole('menuitem', { name: 'Frozen answers' }).click()
  await see(
    sustain.getByText('Request to reopen: declined'),
    sustain.getByText('The meter belongs to the tenant'),
  )
  await request('The lease says otherwise')
  await decide('Reopen', 'Reopen', 'Seen in the lease')
  await see(sustain.getByText('In progress'))
  expect((await callAs(admin, assessmentTargets.get, { id })).state).toBe('in_progress')
})
