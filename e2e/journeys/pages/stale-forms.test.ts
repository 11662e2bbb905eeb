// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
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
    await see(question.getByText(new RegExp(`differ: ${label}\\.$`)))
    await question.getByRole('button', { name: 'Compare' }).click()
    await see(question.getByRole('row', { name: `${label} ${first} ${second}` }))
    await question.getByRole('button', { name: 'Close' }).click()
    await miss(question)
    expect(await inputOf(mine).inputValue()).toBe(first)
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
  },
)
