// @module-tag release
import { expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { people } from '#contract/leads/people/people.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('an agent works through ten leads with the keyboard alone', async () => {
  const page = await newPage()
  const { keyboard } = page
  await signIn(page, 'northgate.dealer')
  await page.goto('/customers/leads')
  await see(heading(page, 'Leads'))
  const { results } = await callAs(page, lots.list, {})
  const lotId = results?.find(({ type }) => type !== 'service')?.id ?? ''
  for (let number = 0; number < 10; number += 1) {
    const [firstName, lastName] = [`Keys${number}`, 'Tenleads']
    const email = `keys${number}@mail.example`
    await callAs(page, leads.add, {
      type: 'used',
      sourceName: 'Phone call',
      lotId,
      firstName,
      lastName,
      email,
      phone: `(916) 555-01${number}0`,
      comments: `Question ${number}`,
    })
  }
  await page.goto('/customers/leads?queue=open&search=Tenleads')
  const pane = page.getByRole('region', { name: 'Lead', exact: true })
  const timeline = pane.getByRole('list', { name: 'Timeline' })
  const next = async (number: number) => {
    await keyboard.press('j')
    await see(pane.getByRole('heading', { name: `Keys${number} Tenleads` }))
    await see(timeline.getByText(`Question ${number}`))
  }
  const done = (words: string) => see(page.getByRole('alert').filter({ hasText: words }).last())
  /** Chooses an entry of the open menu, from the first. */
  const choose = async (entry: number) => {
    await see(page.getByRole('menu'))
    for (let step = 0; step < entry; step += 1) await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
  }
  await see(page.getByRole('link', { name: /Keys0/ }))

  await next(0)
  await keyboard.press('a')
  await done('Lead accepted')
  await keyboard.press('t')
  await see(page.getByRole('menuitem', { name: /^Trade-in/ }))
  await choose(3)
  await keyboard.type(' See you!')
  await keyboard.press('Control+Enter')
  await see(timeline.getByText(/^Hello Keys0,[^]*See you!$/))

  await next(1)
  await keyboard.press('c')
  await keyboard.press('Control+Enter')
  await see(timeline.getByText(/^Call .*Reached/))

  await next(2)
  await keyboard.press('c')
  await keyboard.press('ArrowDown')
  await keyboard.press('Tab')
  await keyboard.type('Left my number.')
  await keyboard.press('Control+Enter')
  await see(timeline.getByText(/Left a voicemail/), timeline.getByText('Left my number.'))

  await next(3)
  await keyboard.press('n')
  await keyboard.type('Prefers mornings.')
  await keyboard.press('Control+Enter')
  await see(timeline.getByText('Prefers mornings.'))

  await next(4)
  await keyboard.press('s')
  await choose(1)
  await see(pane.getByText(/^Snoozed until/).first())

  await next(5)
  await keyboard.press('e')
  await choose(1)
  await see(button(page, 'Outcome: Contacted'))

  await next(6)
  await keyboard.press('a')
  await see(pane.getByText(/Owned by you/))
  await keyboard.press('g')
  await see(timeline.getByText(/^Given back/))

  // Closed leads leave the queue, and j goes on with the one after them.
  await next(7)
  await keyboard.press('e')
  await choose(3)
  await see(button(page, 'Outcome: Sold'))

  await next(8)
  await keyboard.press('e')
  await choose(5)
  await see(button(page, 'Outcome: Lost'))

  await next(9)
  await keyboard.press('r')
  await keyboard.type('What is left here')
  await keyboard.press('Escape')
  await keyboard.press('k')
  await see(pane.getByRole('heading', { name: 'Keys6 Tenleads' }))
  await keyboard.press('j')
  await see(pane.getByRole('heading', { name: 'Keys9 Tenleads' }))
  await keyboard.press('r')
  await keyboard.press('Control+Enter')
  await see(timeline.getByText('What is left here'))

  await keyboard.press('?')
  await see(page.getByRole('dialog').getByText('In the leads inbox'))
  await keyboard.press('Escape')
  const after = await callAs(page, leads.list, { search: 'Tenleads', sort: 'personName' })
  // Emails are kept here, so they are no answers.
  expect(
    after.results?.map(({ outcome, firstResponseAt, snoozedUntil, ownerId }) => [
      outcome,
      firstResponseAt !== null,
      snoozedUntil !== null,
      ownerId !== null,
    ]),
  ).toEqual([
    ['open', false, false, true],
    ['open', true, false, true],
    ['open', false, false, false],
    ['open', false, false, false],
    ['open', false, true, true],
    ['contacted', false, false, false],
    ['open', false, false, false],
    ['sold', false, false, false],
    ['lost', false, false, false],
    ['open', false, false, true],
  ])
})

test('an answer with too little about a payment, or with an amount below the total price, says so', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  const { results } = await callAs(page, vehicles.list, { filter: 'status == "live" && price > 20000' })
  const [vehicle] = results ?? []
  const added = await callAs(page, leads.add, {
    type: 'used',
    sourceName: 'Phone call',
    lotId: vehicle?.lotId ?? '',
    vehicleId: vehicle?.id,
    firstName: 'Checked',
    lastName: 'Answer',
    email: 'checked.answer@mail.example',
  })
  await page.goto(`/customers/leads?queue=open&lead=${added.id}`)
  const message = page.getByLabel('Message', { exact: true })
  const lower = Math.round(((added.vehicle?.totalCents ?? 0) / 100) * 0.9)
  await message.fill(`It is $299/month. Or pay $${lower}.`)
  const findings = page.getByRole('status').filter({ hasText: '“$299/month”' })
  await see(
    findings.getByText(/A monthly payment also needs the APR, the number of payments/),
    findings.getByText(/This is below the total price of \$/),
    page.getByRole('button', { name: /^Send/ }),
  )
  await message.fill('It is still here. Come and see it!')
  await expect
    .poll(() => page.getByRole('status').filter({ hasText: 'below the total price' }).count())
    .toBe(0)
})

test('when someone else changed a person, the question stands above the form, and overwriting keeps what was typed', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  const { results } = await callAs(page, lots.list, {})
  const { id } = await callAs(page, leads.add, {
    type: 'used',
    sourceName: 'Phone call',
    lotId: results?.[0]?.id ?? '',
    firstName: 'Twice',
    lastName: 'Changed',
    email: 'twice@mail.example',
  })
  await page.goto(`/customers/leads?lead=${id}`)
  await button(page, 'Edit').first().click()
  const form = page.getByRole('dialog', { name: 'Contact details' })
  await form.getByLabel('Best time to contact').fill('Mornings')
  const { person } = await callAs(page, leads.get, { id })
  await callAs(page, people.update, { id: person.id, contactTime: 'Noon' })
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await button(page, 'Overwrite').click()
  await see(page.getByRole('alert').filter({ hasText: 'saved' }).last())
  expect((await callAs(page, leads.get, { id })).person.contactTime).toBe('Mornings')
})

test(
  'two buyers with one phone are told apart or joined, and split again, from the pane',
  { tags: ['release'] },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.dealer')
    const { results } = await callAs(page, lots.list, {})
    const add = async (firstName: string) => {
      const { id } = await callAs(page, leads.add, {
        type: 'used',
        sourceName: 'Phone call',
        lotId: results?.[0]?.id ?? '',
        firstName,
        lastName: 'Household',
        email: `${firstName}@household.example`,
        phone: '(916) 421-7788',
      })
      return id
    }
    await add('Mark')
    const id = await add('Mary')
    await page.setViewportSize({ width: 1440, height: 1000 })
    await page.goto(`/customers/leads?lead=${id}`)
    await button(page, 'Not the same as Mark Household').click()
    await page.getByText('1 not the same').click()
    await see(page.getByText(/^Not the same: /))
    await button(page, 'Same buyer as Mark Household').click()
    await page.getByText('1 joined record').click()
    await see(page.getByText(/^Joined by /))
    // Every address is there, and one can be chosen.
    await see(page.getByRole('combobox', { name: 'To' }))
    await page.getByRole('button', { name: 'Actions for Mark@household.example' }).click()
    await page.getByRole('menuitem', { name: 'Always use for answers' }).click()
    await see(page.getByText('used for answers, chosen', { exact: false }))
    await page.getByRole('button', { name: /^Split off / }).click()
    await page.getByText('1 not the same').click()
    await see(page.getByText('Split into two buyers').first())
    expect((await callAs(page, leads.get, { id })).merges).toEqual([])
  },
)
