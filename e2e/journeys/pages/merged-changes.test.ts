// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { customerDetails } from '#contract/customers/details/details.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { addYear, callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, lotLink, miss, openLots, paste, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

type SharedRecord = {
  /** "these details". */
  thing: string
  /** Opens it with two items in a list. */
  open: (page: Page) => Promise<void>
  /** Another user changes the first item. */
  interfere: (page: Page) => Promise<unknown>
  /** Changes the second item on the screen. */
  edit: (page: Page) => Promise<unknown>
  /** Null: it is saved without a button. */
  save: string | null
  /** What each of them changed, as the dialog or its comparison says it. */
  theirs: RegExp
  mine: RegExp
  overwrite: string
  /** The saved texts of the first and the second item. */
  read: (page: Page) => Promise<readonly unknown[]>
  both: readonly unknown[]
  /** Whether its editor can undo. */
  hasUndo?: boolean
}

const FEE = {
  class: 'government',
  percent: null,
  vehicles: 'all',
  from: null,
  isInPrice: false,
} as const
const DAY = { name: 'Day before', hours: [] }

async function serviceLot(page: Page) {
  const { results } = await callAs(page, lots.list, { search: 'Northgate Service' })
  return callAs(page, lots.get, { id: results?.[0]?.id ?? '' })
}

/** The same questions with a help text of one of them. */
const withHelp = (draft: Definition, at: number, help: string): Definition => ({
  ...draft,
  sections: draft.sections.map((section, index) =>
    index > 0
      ? section
      : {
          ...section,
          questions: section.questions.map((question, place) =>
            place === at ? { ...question, help: { en: help } } : question,
          ),
        },
  ),
})
const helpOf = (draft: Definition): readonly unknown[] =>
  draft.sections[0]?.questions.slice(0, 2).map(({ help }) => help?.['en']) ?? []

async function openSecondQuestion(page: Page, draft: Definition) {
  const second = draft.sections[0]?.questions[1]?.title['en'] ?? ''
  await page
    .getByRole('navigation', { name: 'Questions' })
    .getByRole('button', { name: second })
    .first()
    .click()
  await see(field(page, 'Help'))
}

async function firstForm(page: Page) {
  const { results } = await callAs(page, forms.list, {})
  return callAs(page, forms.get, { id: results?.[0]?.id ?? '' })
}
async function dealerSite(page: Page) {
  const { results } = await callAs(page, questionnaires.list, { search: 'Dealer site' })
  return callAs(page, questionnaires.get, { id: results?.[0]?.id ?? '' })
}

const HELP = {
  both: ['Theirs', 'Mine'],
  theirs: /help text \(en\) “Theirs”/,
  mine: /help text \(en\) “Mine”/,
}

const RECORDS: readonly SharedRecord[] = [
  {
    thing: 'these details',
    open: async (page) => {
      await page.goto('/customers/details')
      await see(field(page, 'Legal name'))
      const fees = [
        { ...FEE, name: 'Document fee', cents: 8500 },
        { ...FEE, name: 'Smog fee', cents: 5000 },
      ]
      await callAs(page, customerDetails.update, { fees, confirmPrices: true })
      await page.reload()
      await see(page.getByRole('listitem', { name: 'Smog fee' }))
    },
    interfere: async (page) => {
      const { fees } = await callAs(page, customerDetails.get, {})
      const changed = fees.map((fee, at) => (at === 0 ? { ...fee, cents: 9100 } : fee))
      return callAs(page, customerDetails.update, { fees: changed, legalName: 'Theirs LLC' })
    },
    edit: (page) => page.getByRole('listitem', { name: 'Smog fee' }).getByLabel('Amount').fill('61.00'),
    save: 'Save changes',
    theirs: /^Saved meanwhile: Legal name, Mandatory fees\.$/,
    mine: /^Your changes: Mandatory fees\.$/,
    overwrite: 'Overwrite',
    read: async (page) => {
      const { fees, legalName } = await callAs(page, customerDetails.get, {})
      return [...fees.map(({ cents }) => cents), legalName]
    },
    both: [9100, 6100, 'Theirs LLC'],
  },
  {
    thing: 'this lot',
    open: async (page) => {
      await openLots(page)
      const { id } = await serviceLot(page)
      const holidays = ['2027-12-24', '2027-12-31'].map((on) => ({ ...DAY, on }))
      await callAs(page, lots.update, { id, holidays })
      await openLots(page)
      await lotLink(page, 'Northgate Service').click()
      await see(field(page, 'Holiday name').nth(1))
    },
    interfere: async (page) => {
      const { id, holidays } = await serviceLot(page)
      const changed = holidays.map((day, at) => (at === 0 ? { ...day, name: 'Theirs' } : day))
      const added = { on: '2027-11-25', name: 'Thanksgiving', hours: [] }
      return callAs(page, lots.update, { id, holidays: [...changed, added] })
    },
    edit: (page) => field(page, 'Holiday name').nth(1).fill('Mine'),
    save: 'Save lot',
    theirs: /^Saved meanwhile: Holidays\.$/,
    mine: /^Your changes: Holidays\.$/,
    overwrite: 'Overwrite',
    read: async (page) => (await serviceLot(page)).holidays.map(({ name }) => name).toSorted(),
    both: ['Mine', 'Thanksgiving', 'Theirs'],
  },
  {
    thing: 'this form',
    open: async (page) => {
      await page.goto('/dvp/forms')
      const { id, draft } = await firstForm(page)
      await callAs(page, forms.update, { id, draft: withHelp(withHelp(draft, 0, 'Before'), 1, 'Before') })
      await page.goto(`/dvp/forms/${id}`)
      await openSecondQuestion(page, draft)
    },
    interfere: async (page) => {
      const { id, draft } = await firstForm(page)
      return callAs(page, forms.update, { id, draft: withHelp(draft, 0, 'Theirs') })
    },
    edit: (page) => field(page, 'Help').fill('Mine'),
    save: 'Save draft',
    overwrite: 'Overwrite',
    read: async (page) => helpOf((await firstForm(page)).draft),
    ...HELP,
  },
  {
    thing: 'this questionnaire',
    open: async (page) => {
      await page.goto('/configure-questionnaire')
      const { id, hasDraft } = await dealerSite(page)
      if (!hasDraft) await callAs(page, questionnaires.openDraft, { id })
      const { version, draft } = await dealerSite(page)
      const before = withHelp(withHelp(draft, 0, 'Before'), 1, 'Before')
      await callAs(page, questionnaires.update, { id, version, draft: before })
      await page.goto(`/configure-questionnaire/${id}`)
      await openSecondQuestion(page, (await dealerSite(page)).draft)
    },
    interfere: async (page) => {
      const { id, version, draft } = await dealerSite(page)
      return callAs(page, questionnaires.update, { id, version, draft: withHelp(draft, 0, 'Theirs') })
    },
    edit: (page) => field(page, 'Help').fill('Mine'),
    save: null,
    overwrite: 'Overwrite with mine',
    read: async (page) => helpOf((await dealerSite(page)).draft),
    ...HELP,
  },
]

test.each(RECORDS)(
  'when two users changed different items of a list of $thing, the dialog says what each changed, and overwriting keeps both',
  async ({ thing, open, interfere, edit, save, theirs, mine, overwrite, read, both, hasUndo = false }) => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await open(page)
    const before = await read(page)
    await interfere(page)
    await edit(page)
    if (save !== null) await button(page, save).click()
    const question = page.getByRole('dialog', { name: new RegExp(` changed ${thing}`) })
    await see(question)
    const compare = question.getByRole('button', { name: 'Compare' })
    if (save === null) {
      await see(page.getByRole('alert').filter({ hasText: `You changed ${thing}` }))
      await miss(question.getByRole('heading', { name: /^Changed by both/ }))
    } else {
      await see(question.getByText('Changed by both: nothing.'))
      await compare.click()
    }
    await see(question.getByText(theirs).first(), question.getByText(mine).first())
    await question.getByRole('button', { name: overwrite }).click()
    await miss(question)
    await expect.poll(() => read(page)).toEqual(both)
    if (!hasUndo) return

    // Undo takes back only what this user changed.
    await button(page, 'Undo').click()
    await expect.poll(() => field(page, 'Help').inputValue()).toBe(before[1] ?? '')
    if (save !== null) await button(page, save).click()
    await expect.poll(() => read(page)).toEqual([both[0], before[1]])
    await button(page, 'Redo').click()
    await expect.poll(() => field(page, 'Help').inputValue()).toBe(both[1])
  },
)

test.each(RECORDS)(
  'what was typed into $thing is offered when the browser ended in a conflict, and keeps what the other user saved',
  async ({ thing, open, interfere, edit, save, read, both }) => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await open(page)
    await interfere(page)
    await edit(page)
    if (save !== null) await button(page, save).click()
    await see(page.getByRole('dialog', { name: new RegExp(` changed ${thing}`) }))
    const address = page.url()
    const next = await page.context().newPage()
    await page.close()
    await next.goto(address)
    await see(next.getByText('You typed something here', { exact: false }))
    await button(next, 'Put it back').click()
    if (save !== null) await button(next, save).click()
    await expect.poll(() => read(next)).toEqual(both)
  },
)

test('two people change one row, and each keeps what they changed', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const { id, gas } = await addYear(page)
  await page.goto(`/carbon/emission?inventory=${id}&tab=activity&source=${gas}`)
  await page.getByRole('grid').focus()
  await paste(page, 'From\tTo\tQuantity\tUnit\tBill\n1/1/2025\t1/31/2025\t610\ttherm\tA')
  await page.keyboard.press('Control+s')
  await see(button(page, 'Submit 1 record'))
  const stored = async () =>
    (await callAs(page, activities.list, { inventoryId: id, sourceId: gas })).results[0]
  const before = await stored()
  if (before === undefined) throw new Error('The record was not saved.')
  const { id: key, version, sourceId, periodStart, periodEnd, quantity, unit, reference } = before
  const record = { sourceId, periodStart, periodEnd, quantity, unit, reference, comment: 'Theirs' }
  await callAs(page, activities.save, { inventoryId: id, rows: [{ key, id: key, version, record }] })

  await page.getByRole('gridcell', { name: '610' }).click()
  await page.keyboard.type('710')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+s')
  await see(
    page.getByText('Kept from that change: Comment. Save again to add your changes.', { exact: false }),
  )
  await page.keyboard.press('Control+s')
  await miss(page.getByText('row changed', { exact: false }))
  expect(await stored()).toMatchObject({
    quantity: expect.stringMatching(/^710\b/),
    comment: 'Theirs',
    reference: 'A',
  })
  // The next save of the same row meets no one.
  const other = { ...record, periodStart: '2025-02-01', periodEnd: '2025-02-28', quantity: '333' }
  await callAs(page, activities.save, { inventoryId: id, rows: [{ key: 'other', record: other }] })
  await page.getByRole('gridcell', { name: '710' }).click()
  await page.keyboard.type('720')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+s')
  await miss(page.getByText('row changed', { exact: false }))
  expect(await stored()).toMatchObject({ quantity: expect.stringMatching(/^720\b/), comment: 'Theirs' })
  // What someone else added is offered, and a cell that is being typed stays.
  await page.getByRole('gridcell', { name: '720' }).click()
  await page.keyboard.type('730')
  await see(page.getByText('1 record was added to this source in the meantime.', { exact: false }))
  await button(page, 'Show').click()
  await see(page.getByRole('gridcell', { name: '333' }), page.getByRole('gridcell', { name: '730' }))
  await page.keyboard.press('Control+s')
  await miss(page.getByText('row changed', { exact: false }))
  await miss(page.getByText('added to this source in the meantime', { exact: false }))
  // A deletion of what someone else changed since is asked about in the row.
  const february = (await callAs(page, activities.list, { inventoryId: id, sourceId: gas })).results[1]
  if (february === undefined) throw new Error('The other record is gone.')
  const newer = { ...other, quantity: '444' }
  const change = { key: 'other', id: february.id, version: february.version, record: newer }
  await callAs(page, activities.save, { inventoryId: id, rows: [change] })
  await page.getByRole('gridcell', { name: '333' }).click()
  await button(page, 'Delete rows').click()
  await page.keyboard.press('Control+s')
  await see(page.getByText('changed this record after it was shown here.', { exact: false }))
  await page.getByRole('gridcell', { name: '444' }).click()
  await button(page, 'Delete rows').click()
  await page.keyboard.press('Control+s')
  await see(page.getByText('1 record deleted'))
})

test('a deletion says that someone changed the record since it was shown', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const rule = (await callAs(page, leadRoutingRules.list, {})).find(({ isCatchAll }) => !isCatchAll)
  if (rule === undefined) throw new Error('The demo has no rule.')
  await page.goto(`/customers/lead-routing?rule=${rule.id}`)
  await see(field(page, 'Name'))
  await callAs(page, leadRoutingRules.update, { id: rule.id, version: rule.version, dedupeMinutes: 77 })
  await button(page, 'Delete rule').click()
  const question = page.getByRole('dialog', { name: `Delete ${rule.name}?` })
  await see(question.getByText('changed this rule just now, after it was shown here.', { exact: false }))
  // And once more while the question is open.
  await callAs(page, leadRoutingRules.update, { id: rule.id, version: rule.version + 1, dedupeMinutes: 78 })
  await question.getByRole('button', { name: 'Delete rule' }).click()
  await question.getByRole('button', { name: 'Delete rule' }).click()
  await see(page.getByRole('alert').filter({ hasText: 'Rule deleted' }))
  expect((await callAs(page, leadRoutingRules.list, {})).some(({ id }) => id === rule.id)).toBe(false)
})
