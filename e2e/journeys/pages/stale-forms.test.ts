// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { dvpLayouts } from '#contract/marketing/layouts/layouts.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

type StaleForm = {
  /** "this person". */
  thing: string
  /** Opens the form of the same record in each window. */
  open: (page: Page) => Promise<void>
  /** The label of a text. */
  label: string
  save: string
  /** Three values for it. */
  texts?: readonly [string, string, string]
}

/** One row for each form. */
const FORMS: readonly StaleForm[] = [
  {
    thing: 'this action',
    open: async (page) => {
      await page.goto('/assessments?search=site check')
      await page.getByRole('link', { name: /^Dealer site check/ }).click()
      await page.getByRole('link', { name: 'Actions', exact: true }).click()
      await button(page, 'Dim the lot lights after closing').click()
    },
    label: 'Note',
    save: 'Save action',
  },
  {
    thing: 'this person',
    open: async (page) => {
      await page.goto('/customers/leads?search=Nadia Rossi')
      await page
        .getByRole('link', { name: /Nadia Rossi/ })
        .first()
        .click()
      await button(page, 'Edit').first().click()
    },
    label: 'Best time to contact',
    save: 'Save',
  },
  {
    thing: 'these settings',
    open: async (page) => {
      await page.goto('/customers/leads?panel=settings')
    },
    label: 'Reply address',
    save: 'Save settings',
    texts: ['mine@replies.example', 'theirs@replies.example', 'last@replies.example'],
  },
  {
    thing: 'this questionnaire',
    open: async (page) => {
      await page.goto('/configure-questionnaire')
      await page.getByRole('main').getByRole('link', { name: 'Dealer site' }).first().click()
      await page.getByRole('link', { name: 'Settings', exact: true }).click()
    },
    label: 'Key',
    save: 'Save settings',
    texts: ['mine', 'theirs', 'last'],
  },
]

test.each(FORMS)(
  'when another window changed $thing, its form compares, overwrites and reloads, and nothing typed is lost',
  async ({ thing, open, label, save, texts: [first, second, third] = ['Mine', 'Theirs', 'Last'] }) => {
    const [mine, theirs] = [await newPage(), await newPage()]
    const inputOf = (page: Page) => field(page, label)
    const typeAndSave = async (page: Page, text: string) => {
      const saved = page.waitForResponse((response) => response.url().includes('/update-'))
      await inputOf(page).fill(text)
      await button(page, save).click()
      return (await saved).status()
    }
    for (const page of [mine, theirs]) {
      await signIn(page, 'northgate.admin', 'Northgate Ford')
      await open(page)
      await see(inputOf(page))
    }
    const question = mine.getByRole('dialog', { name: new RegExp(` changed ${thing}`) })

    expect(await typeAndSave(theirs, second)).toBe(200)
    expect(await typeAndSave(mine, first)).toBe(409)
    await see(question.getByText(`Changed by both: ${label}.`))
    await question.getByRole('button', { name: 'Compare' }).click()
    await see(question.getByRole('row', { name: `${label} ${first} ${second}` }))
    await question.getByRole('button', { name: 'Close' }).click()
    await miss(question)
    expect(await inputOf(mine).inputValue()).toBe(first)
    const isFocused = () => inputOf(mine).evaluate((input) => input === document.activeElement)
    await expect.poll(isFocused).toBe(true)
    expect(await typeAndSave(mine, first)).toBe(409)
    const overwritten = mine.waitForResponse((response) => response.url().includes('/update-'))
    await question.getByRole('button', { name: 'Overwrite' }).click()
    expect((await overwritten).status()).toBe(200)

    // Once more, and the form takes what the other window saved.
    await open(mine)
    await open(theirs)
    await see(inputOf(mine), inputOf(theirs))
    expect(await inputOf(mine).inputValue()).toBe(first)
    expect(await typeAndSave(theirs, third)).toBe(200)
    expect(await typeAndSave(mine, second)).toBe(409)
    await question.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => inputOf(mine).inputValue()).toBe(third)
    await expect.poll(isFocused).toBe(true)
  },
)

type TypedForm = {
  /** "this page". */
  thing: string
  /** Opens the form, and returns how another window saves the same record. */
  open: (page: Page) => Promise<() => Promise<unknown>>
  /** A text that isn't the first field. */
  label: string
}

/** A page and a drawer. */
const TYPED: readonly TypedForm[] = [
  {
    thing: 'this promo page',
    open: async (page) => {
      await page.goto('/administration/promo-pages')
      await see(button(page, 'New promo page'))
      const found = await callAs(page, promoPages.list, { search: 'November truck' })
      const id = found.results?.[0]?.id ?? ''
      await page.goto(`/administration/promo-pages/${id}`)
      await page.getByRole('button', { name: /^Hero/ }).click()
      return () => callAs(page, promoPages.update, { id, description: 'Theirs' })
    },
    label: 'Text',
  },
  {
    thing: 'this layout',
    open: async (page) => {
      await page.goto('/administration/dvp-layouts')
      await page.getByRole('main').getByRole('link', { name: 'Northgate 2026', exact: true }).click()
      await see(field(page, 'Note'))
      const found = await callAs(page, dvpLayouts.list, { search: 'Northgate 2026' })
      const id = found.results?.[0]?.id ?? ''
      return () => callAs(page, dvpLayouts.update, { id, note: 'Theirs' })
    },
    label: 'Note',
  },
]

const RARELY = { interval: 2_000 }

test.each(TYPED)(
  'a user who types on while $thing meets a conflict loses no letter, and the conflict stays in sight until it is decided',
  async ({ thing, open, label }) => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const interfere = await open(page)
    const text = field(page, label)
    const before = await text.inputValue()
    const expectTyped = async (typed: string) => {
      await expect.poll(() => text.inputValue()).toBe(`${before}${typed}`)
      expect(await text.evaluate((input) => input === document.activeElement)).toBe(true)
    }
    const save = async () => {
      const saved = page.waitForResponse((response) => response.url().includes('/update-'))
      await page.keyboard.press('Control+s')
      return (await saved).status()
    }
    const question = page.getByRole('dialog', { name: `You changed ${thing}` })
    // It opens when the hands rest, or after the next save if they paused for too short a time.
    const isOpen = async () => {
      if (!(await question.isVisible())) await page.keyboard.press('Control+s')
      return question.isVisible()
    }
    const notice = page.getByText(/^You changed it .*\. Your changes aren't saved\.$/)
    await text.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' MINE')
    await interfere()
    expect(await save()).toBe(409)
    await page.keyboard.type(' AFTER', { delay: 80 })
    await see(notice)
    await expectTyped(' MINE AFTER')

    // What is typed without a look at the dialog reaches the field.
    await expect.poll(isOpen, RARELY).toBe(true)
    await page.keyboard.type(' all')
    await miss(question)
    await expectTyped(' MINE AFTER all')
    await button(page, 'Decide').click()
    await see(question)
    const focused = () => question.evaluate(() => document.activeElement?.textContent ?? '')
    await expect.poll(focused).toContain('Your changes aren')
    await question.getByRole('button', { name: 'Compare' }).click()
    await expect.poll(focused).toContain('After Overwrite')
    await page.keyboard.press('Escape')
    await miss(question)
    await see(notice)
    await page.keyboard.type('!')
    await expectTyped(' MINE AFTER all!')

    await expect.poll(isOpen, RARELY).toBe(true)
    await question.getByRole('button', { name: 'Overwrite' }).click()
    await miss(question, notice)
    await page.keyboard.type('?')
    await expectTyped(' MINE AFTER all!?')
  },
)

type DeletedForm = {
  /** "This rule". */
  thing: string
  /** Opens the record, and says how to delete it. */
  open: (page: Page) => Promise<{ remove: () => Promise<unknown> }>
  label: string
  save: string
  add: string
  /** What can't be taken from the deleted record, such as its password. */
  enterAgain?: (page: Page) => Promise<void>
}

const CONFIRMED = { confirmPrices: true, confirmEvery: true }

/** A form of each frame of the kit: one that uses it by hand, and drawers. */
const DELETED: readonly DeletedForm[] = [
  {
    thing: 'This rule',
    open: async (page) => {
      await page.goto('/inventory/pricing-rules')
      await see(button(page, 'Add rule').first())
      const rule = { name: 'Gone', kind: 'discount', cents: 100, condition: 'model == "F-150"' } as const
      const { id } = await callAs(page, pricingRules.add, { ...rule, ...CONFIRMED })
      await page.goto(`/inventory/pricing-rules?rule=${id}`)
      return { remove: () => callAs(page, pricingRules.remove, { id, ...CONFIRMED }) }
    },
    label: 'Name',
    save: 'Save rule',
    add: 'Add rule',
  },
  {
    thing: 'This email handler',
    open: async (page) => {
      await page.goto('/administration/email-handlers')
      await see(button(page, 'Add handler').first())
      const { id } = await callAs(page, emailHandlers.add, {
        emailHandler: {
          name: 'Gone',
          kind: 'smtp',
          fromEmail: 'us@people.example',
          host: 'mail.people.example',
          port: 587,
          userName: 'us',
          secret: 'hush-hush',
        },
      })
      await page.goto(`/administration/email-handlers?handler=${id}`)
      return { remove: () => callAs(page, emailHandlers.remove, { id }) }
    },
    label: 'Name',
    save: 'Save handler',
    add: 'Add handler',
    enterAgain: (page) => page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('hush-hush'),
  },
]

test.each(DELETED)(
  'when another window deleted it, the form says “$thing was deleted”, keeps what was typed and adds it again',
  async ({ thing, open, label, save, add, enterAgain }) => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const { remove } = await open(page)
    await field(page, label).fill('Typed after the deletion')
    await remove()
    await button(page, save).click()
    const question = page.getByRole('dialog', { name: `${thing} was deleted in the meantime` })
    await question.getByRole('button', { name: 'Add it again' }).click()
    await miss(question, button(page, save))
    expect(await field(page, label).inputValue()).toBe('Typed after the deletion')
    await enterAgain?.(page)
    await button(page, add).last().click()
    await see(button(page, save))
    expect(await field(page, label).inputValue()).toBe('Typed after the deletion')
  },
)
