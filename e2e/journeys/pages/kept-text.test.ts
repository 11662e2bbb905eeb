import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import {
  button,
  drawer,
  field,
  lotLink,
  miss,
  openLots,
  see,
  signIn,
  signInAgain,
} from '#e2e/harness/steps.ts'

const { page: newPage, product } = stage()

const WIDE = { width: 1400, height: 900 }
/** Below every width at which something moves into a drawer. */
const NARROW = { width: 700, height: 900 }

const OFFER = /^You typed something here .* that wasn’t saved: Phone\.$/
const PHONE = '+1 916 555 0123'

async function openLot(page: Page): Promise<void> {
  await openLots(page)
  await lotLink(page, 'Northgate Service').click()
  await see(field(page, 'Phone'))
}

test('what was typed into a form is offered again after a reload, until it is put back or discarded', async () => {
  const page = await newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await signIn(page, 'northgate.dealer')
  await openLot(page)
  const offer = page.getByText(OFFER)
  const before = await field(page, 'Phone').inputValue()
  await miss(offer)
  // A busy device, whose database hasn't stored it when the page is gone.
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('not yet', 'AbortError')
    }
  })
  await field(page, 'Phone').fill(PHONE)
  await page.reload()
  await see(offer)
  expect(await field(page, 'Phone').inputValue()).toBe(before)
  await button(page, 'Put it back').click()
  await miss(offer)
  expect(await field(page, 'Phone').inputValue()).toBe(PHONE)
  await page.reload()
  await see(offer)
  await button(page, 'Discard').click()
  await miss(offer)
  await page.reload()
  await see(field(page, 'Phone'))
  await miss(offer)
})

test(
  'what is typed after one’s own save is offered without a word about others',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    page.on('dialog', (dialog) => void dialog.accept())
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await page.goto('/administration/promo-pages')
    await see(button(page, 'New promo page'))
    const { results } = await callAs(page, promoPages.list, { search: 'November truck' })
    await page.goto(`/administration/promo-pages/${results?.[0]?.id ?? ''}?tab=settings`)
    const text = field(page, 'Description')
    await text.fill('')
    await text.focus()
    await page.keyboard.type(' aa')
    await page.keyboard.press('Control+s')
    await page.keyboard.type('bcdef')
    await see(page.getByText('Not everything is saved'))
    await page.reload()
    await see(page.getByText(/^You typed something here .* that wasn’t saved: Description\.$/))
    await button(page, 'Put it back').click()
    expect(await text.inputValue()).toBe(' aabcdef')
  },
)

test(
  'a word that is no tag yet is an unsaved change, and Ctrl+Enter saves it',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.dealer')
    await openLot(page)
    const ids = drawer(page).getByLabel('Dealer IDs', { exact: true })
    await ids.fill('kept-1')
    await see(page.getByText('1 field changed'))
    // The first one closes the list of suggestions, if there is one.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'There are unsaved changes.' })
    await see(question)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await miss(question)
    await see(drawer(page).getByText('kept-1', { exact: true }))
    await ids.fill('kept-2')
    await ids.press('Control+Enter')
    await see(page.getByRole('alert').filter({ hasText: 'Lot saved' }))
    await miss(page.getByText('1 field changed'))
    await page.reload()
    await see(drawer(page).getByText('kept-1', { exact: true }))
    expect(await drawer(page).getByText('kept-2', { exact: true }).count()).toBe(1)
  },
)

test(
  'a refused save says why in the form, and the question about unsaved changes closes once they are saved',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.dealer')
    await openLot(page)
    await field(page, 'Phone').fill(PHONE)
    await page.route('**/api/customers/update-lot', (route) => route.abort(), { times: 1 })
    await button(page, 'Save lot').click()
    await see(
      drawer(page)
        .getByRole('alert')
        .getByText(/^Can't reach Forecourt/),
    )
    await miss(page.getByRole('dialog', { name: 'Error' }))

    await page.route('**/api/customers/update-lot', async (route) => {
      await new Promise((done) => setTimeout(done, 2_000))
      await route.continue()
    })
    await button(page, 'Save lot').click()
    await field(page, 'Phone').press('Escape')
    const question = page.getByRole('dialog', { name: 'There are unsaved changes.' })
    await see(question)
    await see(page.getByRole('alert').filter({ hasText: 'Lot saved' }))
    await miss(question)
    expect(await field(page, 'Phone').inputValue()).toBe(PHONE)
  },
)

test(
  'what is typed while a form is saved stays in it, and is offered after a reload',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    page.on('dialog', (dialog) => void dialog.accept())
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    let isSlow = true
    await page.route(/\/api\/\w+\/(add|update)-/, async (route) => {
      if (isSlow) await new Promise((done) => setTimeout(done, 1_500))
      await route.continue()
    })
    // A form that stays.
    await page.goto('/customers/details')
    await field(page, 'Website').fill('https://first.example')
    const told = see(page.getByText('Not everything is saved'))
    await page.keyboard.press('Control+s')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('https://second.example', { delay: 90 })
    await told
    await expect.poll(() => field(page, 'Website').inputValue()).toBe('https://second.example')
    await miss(page.getByText('You typed something here', { exact: false }))
    isSlow = false
    await button(page, 'Save changes').click()
    await miss(button(page, 'Save changes'))
    await page.reload()
    await expect.poll(() => field(page, 'Website').inputValue()).toBe('https://second.example')

    // One in a drawer, and a reload before it is saved again.
    isSlow = true
    await openLot(page)
    await field(page, 'Phone').fill('+1 916 555 0198')
    await button(page, 'Save lot').click()
    await field(page, 'Phone').fill('+1 916 555 0199')
    await see(page.getByText('Not everything is saved').last())
    await expect.poll(() => field(page, 'Phone').inputValue()).toBe('+1 916 555 0199')
    await page.reload()
    await see(page.getByText(OFFER))
    expect(await field(page, 'Phone').inputValue()).toBe('+1 916 555 0198')
    await button(page, 'Put it back').click()
    expect(await field(page, 'Phone').inputValue()).toBe('+1 916 555 0199')
    // Someone who goes on typing while the save ends loses no key.
    await field(page, 'City').fill('')
    await page.keyboard.press('Control+s')
    const city = 'Typed over the end of the save'
    await page.keyboard.type(city, { delay: 90 })
    expect(await field(page, 'City').inputValue()).toBe(city)

    // A new record, whose drawer opens again with what was added.
    await page.goto('/customers/lots?lot=new')
    await field(page, 'Code').fill('TYPED')
    await field(page, 'Name').fill('Typed lot')
    await field(page, 'City').focus()
    await page.keyboard.press('Control+s')
    await page.keyboard.type(city, { delay: 90 })
    await expect.poll(() => page.url()).not.toContain('lot=new')
    expect(await field(page, 'City').inputValue()).toBe(city)

    // An editor, whose fields belong to what is chosen in it.
    await page.goto('/dvp/forms')
    await page.locator('tbody a').first().click()
    const question = page.getByRole('textbox', { name: 'Question', exact: true })
    await question.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('W')
    await page.keyboard.press('Control+s')
    await page.keyboard.type(`hat? ${city}`, { delay: 90 })
    expect(await question.inputValue()).toBe(`What? ${city}`)
  },
)

test(
  'what was typed outlives a sign-out elsewhere for the same person only, and ends when it is left or saved',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    page.on('dialog', (dialog) => void dialog.accept())
    await signIn(page, 'northgate.dealer')
    await openLot(page)
    const offer = page.getByText(OFFER)
    await field(page, 'Phone').fill(PHONE)
    // Another tab signs out: this one can't ask before it leaves.
    const other = await page.context().newPage()
    await openLots(other)
    await other.evaluate(() => localStorage.removeItem('token'))
    await page.waitForURL('**/auth/signin*')
    await other.close()

    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openLot(page)
    await miss(offer)
    await signIn(page, 'northgate.dealer')
    await openLot(page)
    await see(offer)
    await button(page, 'Put it back').click()
    await button(page, 'Cancel').click()
    await button(page, 'Confirm').click()
    await openLot(page)
    await miss(offer)
    await field(page, 'Phone').fill(PHONE)
    await button(page, 'Save lot').click()
    await see(page.getByRole('alert').filter({ hasText: 'Lot saved' }))
    await openLot(page)
    await miss(offer)
    expect(await field(page, 'Phone').inputValue()).toBe(PHONE)
  },
)

test(
  'settings of a questionnaire that were typed stay while another tab is shown, on a wide and on a narrow screen',
  { tags: 'release' },
  async () => {
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
  },
)

test(
  'a comment that was typed about an answer stays while its details move between the side and a drawer',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await page.setViewportSize(WIDE)
    // Calls need a token that no page has replaced.
    await signInAgain(page, product(), 'northgate.admin', 'Northgate Ford')
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
  },
)
