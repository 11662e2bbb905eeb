// @module-tag release
import { expect, test } from 'vitest'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { field, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const WIDE = { width: 1400, height: 900 }
/** Below every width at which something moves into a drawer. */
const NARROW = { width: 700, height: 900 }

test('settings of a questionnaire that were typed stay while another tab is shown, on a wide and on a narrow screen', async () => {
  const page = await newPage()
  await page.setViewportSize(WIDE)
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/configure-questionnaire')
  await page.getByRole('main').getByRole('link', { name: 'Dealer site' }).first().click()
  const tabs = page.getByRole('navigation', { name: 'Parts of this questionnaire' })
  await tabs.getByRole('link', { name: 'Settings' }).click()
  await field(page, 'Key').fill('typed-key')
  for (const size of [WIDE, NARROW, WIDE]) {
    await page.setViewportSize(size)
    await tabs.getByRole('link', { name: 'Versions' }).click()
    await miss(field(page, 'Key'))
    await tabs.getByRole('link', { name: 'Settings' }).click()
    await see(field(page, 'Key'))
    expect(await field(page, 'Key').inputValue()).toBe('typed-key')
  }
})

test('a comment that was typed about an answer stays while its details move between the side and a drawer', async () => {
  const page = await newPage()
  await page.setViewportSize(WIDE)
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const list = await callAs(page, assessments.list, { search: 'site check' })
  const id = list.results?.[0]?.id ?? ''
  const targets = await callAs(page, assessmentTargets.list, { assessment: id })
  const target = targets.results?.find(({ state }) => state === 'in_progress')?.id ?? ''
  await page.goto(`/assessments/${id}/targets/${target}`)
  await page
    .getByRole('button', { name: /^Details of / })
    .first()
    .click()
  await field(page, 'Comment').fill('Is this before tax?')
  await page.setViewportSize(NARROW)
  await expect.poll(() => field(page, 'Comment').inputValue()).toBe('Is this before tax?')
  await page.setViewportSize(WIDE)
  await see(page.getByRole('complementary', { name: 'Question details' }))
  expect(await field(page, 'Comment').inputValue()).toBe('Is this before tax?')
})
