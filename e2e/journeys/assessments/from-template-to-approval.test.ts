// @module-tag release
import { readXlsx } from 'hucre/xlsx'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage, profile, product } = stage()

const PHONE = { width: 390, height: 844 }
const NAME = 'Spring energy check'
const SENT = 'All answers sent'

/** Adds the energy template, gives points for the car wash and the paint booth, and publishes it. */
async function publish(staff: Page) {
  await staff.goto('/configure-questionnaire')
  await button(staff, 'New questionnaire').click()
  const adding = staff.getByRole('dialog', { name: 'New questionnaire' })
  await adding.getByRole('radio', { name: /^Dealer energy/ }).check()
  await adding.getByRole('textbox', { name: 'Name', exact: true }).fill(NAME)
  await adding.getByRole('button', { name: 'Add questionnaire' }).click()
  await see(heading(staff, NAME))
  const id = new URL(staff.url()).pathname.split('/').at(-1) ?? ''
  // The points: the form of the scoring has a journey of its own.
  const draft = await callAs(staff, questionnaires.get, { id })
  const noIsBest = (question: string) => ({
    kind: 'choices' as const,
    question,
    weight: '1',
    points: [{ value: 'false', points: '1' }],
  })
  await callAs(staff, questionnaires.update, {
    id,
    version: draft.version,
    scoring: {
      ...draft.scoring,
      questions: [
        { ...noIsBest('has_car_wash'), action: { en: 'Wash vehicles at the shared car wash.' } },
        noIsBest('has_paint_booth'),
      ],
    },
  })
  await staff.reload()
  await button(staff, 'Publish version 1').click()
  await staff.getByRole('dialog').getByRole('button', { name: 'Publish version 1' }).click()
  await see(staff.getByText('Published', { exact: true }).first())
}

/** Sets up an assessment of one facility with two people who have no account, and opens it. */
async function setUp(staff: Page) {
  await staff.goto('/assessments')
  await button(staff, 'New assessment').click()
  await staff.getByRole('combobox', { name: 'Questionnaire' }).click()
  await staff.getByRole('option', { name: NAME }).click()
  await staff.getByLabel('Opens').fill('2026-01-01')
  await button(staff, 'Save and choose targets').click()
  await staff.getByRole('checkbox', { name: /^West Sacramento/ }).check()
  await button(staff, 'Save changes').click()
  await button(staff, 'Edit people of West Sacramento').click()
  const people = staff.getByRole('dialog', { name: 'People of West Sacramento' })
  for (const [name, email] of [
    ['Erin Walsh', 'erin.walsh@people.example'],
    ['Tom Becker', 'tom.becker@people.example'],
  ] as const) {
    const invite = people.getByRole('form', { name: 'Invite someone without an account' })
    await invite.getByRole('textbox', { name: 'Name' }).fill(name)
    await invite.getByRole('textbox', { name: 'Email' }).fill(email)
    await invite.getByRole('button', { name: 'Add person' }).click()
    await see(people.getByRole('list', { name: 'People' }).getByText(name))
  }
  await people.getByRole('button', { name: 'Cancel' }).click()
  await button(staff, 'Continue to Open').click()
  await see(staff.getByText('2 invitations'))
  await button(staff, 'Open assessment').click()
  await staff.getByRole('dialog').getByRole('button', { name: 'Open assessment' }).click()
  await see(staff.getByRole('link', { name: 'West Sacramento' }))
  const id = new URL(staff.url()).pathname.split('/').at(-1) ?? ''
  const { results } = await callAs(staff, assessmentTargets.list, { assessment: id })
  return { id, targetId: results[0]?.id ?? '' }
}

/** A new link of a person, as in an email that is sent again. */
async function linkOf(staff: Page, targetId: string, name: string): Promise<string> {
  const people = await callAs(staff, assessmentParticipants.list, { target: targetId })
  const person = people.find((one) => one.name === name)
  const { url } = await callAs(staff, assessmentParticipants.copyLink, { id: person?.id ?? '' })
  const { pathname, hash } = new URL(url)
  return `${product().address}${pathname}${hash}`
}

async function openLink(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await button(page, 'Open my questions').click()
  await see(heading(page, NAME))
}

/** Numbers by the beginning of their question. */
async function fill(page: Page, answers: Readonly<Record<string, string>>): Promise<void> {
  for (const [question, value] of Object.entries(answers)) {
    await page.getByRole('textbox', { name: question }).fill(value)
  }
}

/** Goes through the next sections to the last one, submits, and waits for the receipt. */
async function submitOnPhone(page: Page, sections: readonly string[]): Promise<void> {
  for (const section of sections) await button(page, `Next: ${section}`).click()
  await button(page, 'Submit').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
  await see(page.getByText(/^[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}$/))
}

test('an assessment goes from a template to an approval, with answers typed on a phone without a connection', async () => {
  const staff = await newPage()
  await signIn(staff, 'northgate.admin', 'Northgate Ford')
  await publish(staff)
  const { id, targetId } = await setUp(staff)

  // Erin answers on her phone, and the connection is lost in between.
  const context = await profile()
  const erin = await context.newPage()
  await erin.setViewportSize(PHONE)
  await openLink(erin, await linkOf(staff, targetId, 'Erin Walsh'))
  await fill(erin, { 'Gross floor area of all buildings': '48200' })
  await see(erin.getByText(SENT))
  await context.setOffline(true)
  await fill(erin, {
    'Outdoor display and parking area': '96400',
    'Opening hours per week': '66',
    'People at work in the busiest shift': '24',
  })
  await see(erin.getByText('3 waiting to send'))
  await context.setOffline(false)
  await see(erin.getByText(SENT))
  await button(erin, 'Next: Equipment').click()
  await fill(erin, { 'Service bays': '12', 'Charging stations': '4' })
  for (const question of ['Is there a paint booth?', 'Is there a car wash?']) {
    await erin.getByRole('radiogroup', { name: question }).getByLabel('No').check()
  }
  await button(erin, 'Next: Energy of the last 12 months').click()
  await erin.getByRole('radiogroup', { name: 'Does the site use natural gas?' }).getByLabel('No').check()
  await erin.getByLabel('From, Row 1').first().fill('2026-01-01')
  await erin.getByLabel('To, Row 1').first().fill('2026-12-31')
  await see(erin.getByText(SENT))

  // The row of the bill is delegated to Tom, who fills in its amount.
  const at = `/assessments/${id}/targets/${targetId}?section=bills&question=electricity_bills`
  await staff.goto(at)
  const delegation = staff.getByRole('region', { name: 'Delegation' })
  await delegation.getByLabel('Part').click()
  await staff.getByRole('option', { name: /^Row 1/ }).click()
  await delegation.getByLabel('Person').click()
  await staff.getByRole('option', { name: 'Tom Becker' }).click()
  await delegation.getByRole('button', { name: 'Delegate' }).click()
  await see(delegation.getByText(/^Row 1 is with Tom Becker/))
  const tom = await (await profile()).newPage()
  await openLink(tom, await linkOf(staff, targetId, 'Tom Becker'))
  await tom.getByLabel('Electricity (kWh), Row 1').fill('512400')
  await see(tom.getByText(SENT))

  await erin.reload()
  await submitOnPhone(erin, ['Results'])

  // One change is requested: only that question is open again.
  await staff.goto(`/assessments/${id}/targets/${targetId}?section=equipment&question=has_car_wash`)
  await button(staff, 'Start review').click()
  await button(staff, 'Ask for a change').click()
  await staff.getByLabel('What should change?').fill('The car wash on the street side is missing.')
  await button(staff, 'Request 1 change').click()
  await see(staff.getByText('Changes requested', { exact: true }).first())
  // It opens at the section with the requested change.
  await openLink(erin, await linkOf(staff, targetId, 'Erin Walsh'))
  await see(erin.getByText('The car wash on the street side is missing.').first())
  await erin.getByRole('radiogroup', { name: 'Is there a car wash?' }).getByLabel('Yes').check()
  await see(erin.getByText(SENT))
  await submitOnPhone(erin, ['Energy of the last 12 months', 'Results'])

  await staff.reload()
  await button(staff, 'Approve').click()
  await see(staff.getByText('Approved', { exact: true }).first())
  await button(staff, 'Score 50').click()
  const score = staff.getByRole('dialog', { name: 'Score' })
  await see(score.getByText('Wash vehicles at the shared car wash.'), score.getByText('+50.0 because “No”'))
  await score.getByRole('button', { name: 'Close' }).click()

  const coming = staff.waitForEvent('download')
  await button(staff, 'More actions').click()
  await staff.getByRole('menuitem', { name: 'Download as Excel workbook' }).click()
  const path = await (await coming).path()
  const { sheets } = await readXlsx(await readFile(path))
  const { snapshotSha256 } = await callAs(staff, assessmentTargets.get, { id: targetId })
  expect(sheets[0]?.rows).toContainEqual(['SHA-256', snapshotSha256])
  expect(sheets[1]?.rows.some((row) => row.includes(48_200))).toBe(true)
  expect(JSON.stringify(sheets[1]?.rows)).toContain('512,400 kWh')
})
