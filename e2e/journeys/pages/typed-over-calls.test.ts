// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEFAULT_FAILURE } from '#contract/answer.ts'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { activities } from '#contract/carbon/activity/activity.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { mediaTexts } from '#contract/files/media-texts.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { addYear, callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const KEPT = /^You typed something here .* that wasn’t saved/

/** Holds the next call until the returned function is called; it fails if that is given a status. */
async function hold(page: Page, { path }: Endpoint): Promise<(status?: number) => void> {
  const held = Promise.withResolvers<number | undefined>()
  await page.route(
    `**${path}`,
    async (route) => {
      const status = await held.promise
      if (status === undefined) await route.continue()
      else await route.fulfill({ status, json: {} })
    },
    { times: 1 },
  )
  return (status) => held.resolve(status)
}

/** The server handles the next call, and its answer is lost. */
const loseAnswer = (page: Page, { path }: Endpoint) =>
  page.route(
    `**${path}`,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )

/** A page that may be reloaded with unsaved text. */
async function open(userName: string, organization?: string): Promise<Page> {
  const page = await newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await signIn(page, userName, organization)
  return page
}

test('an answer box keeps what is typed while an answer is saved, and forgets what was sent', async () => {
  const page = await open('northgate.dealer')
  const { results } = await callAs(page, lots.list, {})
  const lotId = results?.find(({ type }) => type !== 'service')?.id ?? ''
  await page.goto('/customers/leads')
  await see(heading(page, 'Leads'))

  // A drawer that closes can't be typed into while its call runs.
  await button(page, 'Add lead').click()
  const added = page.getByRole('dialog', { name: 'Add lead' })
  await field(page, 'First name').fill('Over')
  await field(page, 'Last name').fill('Typed')
  await field(page, 'Email').fill('over.typed@mail.example')
  await added.getByRole('combobox', { name: 'Lot' }).click()
  await page.getByRole('option').first().click()
  await field(page, 'Comments').fill('Start.')
  const letAdd = await hold(page, leads.add)
  await added.getByRole('button', { name: 'Add lead' }).click()
  await expect.poll(() => field(page, 'Comments').isDisabled()).toBe(true)
  letAdd(503)
  await expect.poll(() => field(page, 'Comments').isDisabled()).toBe(false)
  expect(await field(page, 'Comments').inputValue()).toBe('Start.')
  // Who types on meanwhile finds it there.
  const letAgain = await hold(page, leads.add)
  const lastName = field(page, 'Last name')
  await lastName.press('End')
  await page.keyboard.press('Enter')
  await expect.poll(() => lastName.isDisabled()).toBe(true)
  await page.keyboard.type(' And', { delay: 40 })
  letAgain(503)
  await page.keyboard.type(' on', { delay: 40 })
  await expect.poll(() => lastName.inputValue()).toBe('Typed And on')

  const { id } = await callAs(page, leads.add, {
    type: 'used',
    sourceName: 'Phone call',
    lotId,
    firstName: 'Second',
    lastName: 'Typed',
    email: 'second.typed@mail.example',
    comments: 'Is it there?',
  })
  const lead = `/customers/leads?lead=${id}`
  await page.goto(lead)
  await page.getByText('Note', { exact: true }).click()
  const note = field(page, "Internal note (the buyer doesn't see it)")
  await note.fill('Note one')
  const letNote = await hold(page, leads.addNote)
  // A second click while it runs makes no second call, whose answer would remove what is typed meanwhile.
  await page.getByRole('button', { name: /^Save note/ }).dblclick()
  await note.press('End')
  await note.pressSequentially(' and more')
  letNote()
  await see(page.getByRole('alert').filter({ hasText: 'Note added' }))
  await expect.poll(() => note.inputValue()).toBe(' and more')
  await page.reload()
  await see(page.getByText(/wasn’t saved: Internal note\.$/))
  await button(page, 'Discard').click()

  await page.getByRole('region', { name: 'Answer' }).getByText('Email').click()
  await field(page, 'Message').fill('Yes, it is.')
  await field(page, 'Message').press('Control+Enter')
  await see(page.getByRole('alert').filter({ hasText: 'Email queued' }))
  expect(await field(page, 'Message').inputValue()).toBe('')
  await page.reload()
  await see(field(page, 'Message'))
  await miss(page.getByText(KEPT))

  // An answer that is lost after the email was stored: put back after a reload and sent again, it is one email.
  await loseAnswer(page, leads.sendEmail)
  await field(page, 'Message').fill('Once only.')
  await field(page, 'Message').press('Control+Enter')
  await see(page.getByText('it is done only once', { exact: false }))
  await page.reload()
  await button(page, 'Put it back').click()
  await field(page, 'Message').press('Control+Enter')
  await see(page.getByRole('alert').filter({ hasText: 'Email queued' }))
  const { timeline } = await callAs(page, leads.get, { id })
  expect(timeline.filter(({ message }) => message?.text.includes('Once only.'))).toHaveLength(1)

  // The same for a note, also with another tab; what is put back is shown.
  await page.getByRole('region', { name: 'Answer' }).getByText('Note').click()
  await loseAnswer(page, leads.addNote)
  await note.fill('Noted once.')
  await note.press('Control+Enter')
  await see(page.getByText('it is done only once', { exact: false }))
  const tab = await page.context().newPage()
  await tab.goto(lead)
  await see(heading(tab, 'Leads'))
  await page.reload()
  await button(page, 'Put it back').click()
  await note.press('Control+Enter')
  await see(page.getByRole('alert').filter({ hasText: 'Note added' }))
  const after = await callAs(page, leads.get, { id })
  expect(JSON.stringify(after.timeline).split('Noted once.')).toHaveLength(2)
  await tab.close()
})

test('a comment keeps what is typed while it is added, and changes to request outlive a reload', async () => {
  const page = await open('northgate.admin', 'Northgate Ford')
  const { results } = await callAs(page, assessmentTargets.list, { pageSize: 100 })
  const target = results.find(({ state }) => state === 'submitted' || state === 'in_review')
  await page.goto(`/assessments/${target?.assessmentId ?? ''}/targets/${target?.id ?? ''}`)
  const details = page.getByRole('button', { name: /^Details of / }).first()
  await details.click()
  const comment = field(page, 'Comment')
  await comment.fill('Comment one')
  const letComment = await hold(page, assessmentAnswers.comment)
  await button(page, 'Add comment').dblclick()
  await comment.pressSequentially(' typed during')
  letComment()
  await see(page.getByText('Comment one', { exact: true }))
  await expect.poll(() => comment.inputValue()).toBe(' typed during')
  await comment.fill('')

  await button(page, 'Ask for a change').click()
  await field(page, 'What should change?').fill('Only a flag')
  await page.reload()
  await see(page.getByText(/wasn’t saved: Changes to request\.$/))
  await button(page, 'Put it back').click()
  await see(button(page, 'Request 1 change'))
  await details.click()
  expect(await field(page, 'What should change?').inputValue()).toBe('Only a flag')
})

test('a dialog that asks for a reason stays open until its call has succeeded, and keeps the reason', async () => {
  const page = await open('northgate.admin', 'Northgate Ford')
  const { id, gas } = await addYear(page, { year: 2044, yearRule: 'latest' })
  const { rows } = await callAs(page, activities.save, {
    inventoryId: id,
    rows: [
      {
        key: '01',
        record: {
          sourceId: gas,
          quantity: '100',
          unit: 'therm',
          calorificBasis: 'gross' as const,
          periodStart: '2044-01-01',
          periodEnd: '2044-01-28',
        },
      },
    ],
  })
  const records = rows.map(({ record }) => ({ id: record?.id ?? '', version: 1 }))
  await callAs(page, activities.submit, { inventoryId: id, records })
  await page.goto(`/carbon/emission?inventory=${id}&tab=review`)
  const dialog = page.getByRole('dialog', { name: 'Return 1 record' })
  const reason = dialog.getByLabel('What needs to change')
  const confirm = dialog.getByRole('button', { name: 'Return records' })
  const ask = () => button(page, 'Return').click()
  await page.getByRole('checkbox', { name: 'All 1', exact: true }).check()
  await ask()
  await reason.fill('Wrong meter')
  const letFail = await hold(page, activities.returnRecords)
  await confirm.click()
  await expect.poll(() => reason.isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
  letFail(503)
  await see(dialog.getByRole('alert').getByText(DEFAULT_FAILURE))
  expect(await reason.inputValue()).toBe('Wrong meter')
  await expect.poll(() => confirm.evaluate((one) => one === document.activeElement)).toBe(true)
  await reason.pressSequentially(', please read it again')

  // Closed without asking: it is offered again.
  await page.keyboard.press('Escape')
  await miss(dialog)
  await ask()
  await see(dialog.getByText(KEPT))
  expect(await reason.inputValue()).toBe('')
  await dialog.getByRole('button', { name: 'Put it back' }).click()
  expect(await reason.inputValue()).toBe('Wrong meter, please read it again')
  await confirm.click()
  await see(page.getByText(/1 record returned/))
  await miss(dialog)
})

test('a question that an answer asks waits for users who type, and is asked again', async () => {
  const page = await open('northgate.admin', 'Northgate Ford')
  const { results } = await callAs(page, vehicles.list, {})
  const priced = results?.find(({ priceCents }) => (priceCents ?? 0) > 1_000_000)
  await page.goto(`/inventory/vehicle-data/${priced?.id}`)
  await button(page, 'Edit').click()
  const stock = field(page, 'Stock number')
  const before = await stock.inputValue()
  await field(page, 'Price').fill('200')
  await stock.focus()
  await page.keyboard.press('End')
  const question = page.getByRole('dialog', { name: 'Save unusual prices?' })
  await page.keyboard.press('Control+s')
  await page.keyboard.type(' AF', { delay: 80 })
  await see(question)
  await page.keyboard.type(' T')
  await expect.poll(() => stock.inputValue()).toBe(`${before} AF T`)
  // It was put off, and is asked again.
  await question.getByRole('button', { name: 'Go back' }).click()
  await miss(question)
  expect(await stock.inputValue()).toBe(`${before} AF T`)
})

test('a drawer that closes when it is saved stays while more is typed', async () => {
  const page = await open('northgate.admin', 'Northgate Ford')
  const { results } = await callAs(page, vehicles.list, {})
  await page.goto(`/inventory/vehicle-data/${results?.[0]?.id}?drawer=edit`)
  const description = field(page, 'Description')
  await description.fill('One owner.')
  const letSave = await hold(page, vehicles.update)
  await page.keyboard.press('Control+s')
  await page.keyboard.type(' Two keys.', { delay: 30 })
  letSave()
  await see(page.getByRole('alert').filter({ hasText: 'Vehicle saved' }))
  expect(await description.inputValue()).toBe('One owner. Two keys.')
  await page.keyboard.press('Control+s')
  await miss(description)
  const { description: stored } = await callAs(page, vehicles.get, { id: results?.[0]?.id ?? '' })
  expect(stored).toBe('One owner. Two keys.')
})

test.each([
  ['page', '/administration/promo-pages?drawer=new', promoPages.add],
  ['form', '/dvp/forms?drawer=new', forms.add],
])(
  'the editor of a new %s takes each key of someone who types on while it is added and opens',
  async (_, url, add) => {
    const page = await open('northgate.admin', 'Northgate Ford')
    const more = ' the drawer, the page that loads, and the field of the editor'
    // A key may be pressed in the moment in which the fields change.
    for (const delay of [20, 40, 60]) {
      await page.goto(url)
      const name = field(page, 'Name')
      await name.fill(`Typed ${delay}`)
      const letAdd = await hold(page, add)
      await page.keyboard.press('Enter')
      await page.keyboard.type(' over', { delay })
      letAdd()
      await page.keyboard.type(more, { delay })
      await see(heading(page, `Typed ${delay}`))
      await expect.poll(() => name.inputValue()).toBe(`Typed ${delay} over${more}`)
      await page.keyboard.type(' at last')
      expect(await name.inputValue()).toBe(`Typed ${delay} over${more} at last`)
    }
  },
)

test('a save that is refused leaves the field that someone types in, and says what is wrong', async () => {
  const page = await open('northgate.admin', 'Northgate Ford')
  const [vehicle] = (await callAs(page, vehicles.list, {})).results ?? []
  const [first, second] = (await callAs(page, promoPages.list, {})).results ?? []
  const cases = [
    {
      url: `/inventory/vehicle-data/${vehicle?.id}?drawer=edit`,
      call: vehicles.update,
      wrong: { field: 'Trim', text: 'XL now $9,999' },
      typed: 'Description',
    },
    {
      url: `/administration/promo-pages/${first?.id}?tab=settings`,
      call: promoPages.update,
      wrong: { field: 'Address', text: second?.slug ?? '' },
      typed: 'Title',
    },
  ]
  for (const { url, call, wrong, typed } of cases) {
    await page.goto(url)
    await field(page, wrong.field).fill(wrong.text)
    const other = field(page, typed)
    await other.fill('One')
    const letSave = await hold(page, call)
    await page.keyboard.press('Control+s')
    await page.keyboard.type(' two three', { delay: 30 })
    letSave()
    for (const word of [' four', ' five', ' six']) await page.keyboard.type(word, { delay: 60 })
    await expect.poll(() => field(page, wrong.field).getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.type(' seven', { delay: 30 })
    expect(await other.inputValue()).toBe('One two three four five six seven')
    expect(await field(page, wrong.field).inputValue()).toBe(wrong.text)
    await see(
      page
        .getByRole('alert')
        .filter({ hasText: `${wrong.field}: ` })
        .first(),
    )
  }

  // What the form itself finds is found while the next letter is pressed.
  await page.goto('/customers/lots?lot=new')
  await expect
    .poll(() => field(page, 'Code').evaluate((input) => input === document.activeElement))
    .toBe(true)
  await page.keyboard.type('L')
  await page.keyboard.press('Control+s')
  await page.keyboard.type('OT9', { delay: 40 })
  await expect.poll(() => field(page, 'Name').getAttribute('aria-invalid')).toBe('true')
  expect([await field(page, 'Code').inputValue(), await field(page, 'Name').inputValue()]).toEqual([
    'LOT9',
    '',
  ])
  // Who waits for the answer is led to what is wrong.
  await page.waitForTimeout(800)
  await page.keyboard.press('Control+s')
  await expect
    .poll(() => field(page, 'Name').evaluate((input) => input === document.activeElement))
    .toBe(true)
})

test('a text that is changed stays while more is typed', async () => {
  const page = await open('northgate.admin', 'Northgate Ford')
  await page.goto('/administration/media')
  const menu = page.getByRole('button', { name: /^More for .*\.(?:png|jpg)$/ }).first()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Alternative text' }).click()
  const alt = field(page, 'Alternative text')
  await alt.fill('A red truck')
  const letSave = await hold(page, mediaTexts.update)
  await page.keyboard.press('Control+s')
  await page.keyboard.type(' and more', { delay: 30 })
  letSave()
  await see(page.getByText('Not everything is saved'))
  expect(await alt.inputValue()).toBe('A red truck and more')
  await page.keyboard.press('Control+s')
  await miss(alt)
  await expect.poll(() => menu.evaluate((opener) => opener === document.activeElement)).toBe(true)
})
