// @module-tag release
import { expect, test } from 'vitest'
import { leads } from '#contract/leads/inbox/leads.ts'
import { dvpLayouts } from '#contract/marketing/layouts/layouts.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { findOverflow } from '#e2e/harness/check-views.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { findA11yViolations } from '#e2e/harness/find-a11y-violations.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, miss, pressEnter, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage, profile, product } = stage()
const PHONE = { width: 390, height: 800 }

/** The public site of Northgate, which the browser resolves to this machine. */
function siteAddress(): string {
  const address = new URL(product().address)
  address.hostname = 'northgate.localhost'
  return address.origin
}

test('a dealer builds a page with vehicles and a form, publishes it, and sees where its lead came from', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/promo-pages')
  await button(page, 'New promo page').click()
  await field(page, 'Name').fill('SUV weeks')
  expect(await field(page, 'Address').inputValue()).toBe('suv-weeks')
  await button(page, 'Add promo page').click()
  await see(heading(page, 'SUV weeks'), page.getByText('No blocks yet. Add the first one.'))

  const add = async (type: string) => {
    await button(page, 'Add block').click()
    await page.getByRole('menuitem', { name: new RegExp(`^${type}`) }).click()
  }
  await add('Form')
  await page.getByRole('combobox', { name: 'Form' }).click()
  await page.getByRole('option', { name: 'Contact us' }).click()
  await add('Vehicles')
  await field(page, 'Heading').fill('SUVs for you')
  await page.getByRole('combobox', { name: 'Body style' }).fill('SUV')
  await page.keyboard.press('Enter')
  await add('Text')
  await field(page, 'Text').fill('From $9,995')
  // The preview shows what isn't saved yet, with the prices of the engine.
  const preview = page.frameLocator('iframe[title="Preview of the page"]')
  await see(
    preview.getByRole('heading', { name: 'SUVs for you' }),
    preview.getByText('From $9,995'),
    preview.getByText('Total price').first(),
  )
  await see(button(page, 'Fix 1 to publish'))
  await page.getByRole('button', { name: /^Save changes/ }).click()
  await see(page.getByRole('alert').getByText(/^Block 3 \(Text\): “\$9,995” is typed by hand/))
  // Nothing that was typed is lost.
  expect(await field(page, 'Text').inputValue()).toBe('From $9,995')
  await field(page, 'Text').fill('Every SUV of our stores.')
  // The form goes to the end by the keyboard.
  await page.getByRole('button', { name: /^Form/ }).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  await button(page, 'Remove block 2, Text').click()
  await see(page.getByText('Text removed.'))
  await page.keyboard.press('Control+z')
  await see(page.getByText('Undone: Text removed.'))
  await page.getByRole('button', { name: /^Save changes/ }).click()
  await see(page.getByText('Promo page saved').first())

  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const visitor = await (await profile({ address: siteAddress() })).newPage()
  await visitor.goto((await callAs(page, promoPages.previewLink, { id })).path)
  await see(
    visitor.getByText('This is a preview of the draft.'),
    visitor.getByRole('heading', { name: 'SUVs for you' }),
  )
  await button(page, 'Publish').click()
  await see(page.getByText('Visitors see version 1.'))

  await visitor.goto('/p/suv-weeks?utm_source=print')
  await see(heading(visitor, 'SUV weeks'), visitor.getByText('Total price').first())
  expect(await findA11yViolations(visitor)).toEqual([])
  await visitor.setViewportSize(PHONE)
  expect(await findOverflow(visitor)).toEqual([])
  expect(await findA11yViolations(visitor)).toEqual([])
  await visitor.getByLabel('Service and parts').check()
  await field(visitor, 'First name').fill('Visitor of the page')
  await field(visitor, 'Email').fill('visitor@mail.example')
  await field(visitor, 'Your question').fill('Do you have this SUV in green?')
  await button(visitor, 'Send').click()
  await visitor.getByRole('link', { name: 'Back to the page' }).click()
  await see(heading(visitor, 'SUV weeks'))

  const found = (await callAs(page, leads.list, { search: 'Visitor of the page' })).results?.[0]
  expect(await callAs(page, leads.get, { id: found?.id ?? '' })).toMatchObject({
    sourceName: 'Website form, SUV weeks',
    campaign: { utm_source: 'print' },
  })
})

test('head office changes the terms of a layout, and puts the former ones back on its published page', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/dvp-layouts')
  await page.getByRole('main').getByRole('link', { name: 'Northgate 2026', exact: true }).click()
  await page.getByRole('button', { name: /^Disclaimer/ }).click()
  await field(page, 'Text').fill('Terms that were a mistake.')
  await see(page.getByText('As soon as you save, 1 published page shows this.'))
  // The block stays open, and the cursor where it is.
  await page.keyboard.press('End')
  await page.keyboard.type(' ')
  await page.keyboard.press('Control+s')
  await see(page.getByText('Layout saved').first())
  await page.keyboard.type('!')
  expect(await field(page, 'Text').inputValue()).toBe('Terms that were a mistake. !')
  await page.keyboard.press('Backspace')

  await pressEnter(page.locator('summary', { hasText: /^Versions$/ }))
  await see(
    page.getByRole('heading', { name: 'Version 3 the current one' }),
    page.getByText(/^At the bottom: Disclaimer, Text: Terms that were a mistake\. instead of Vehicles are/),
  )
  await pressEnter(page.locator('summary', { hasText: /^Open version 2$/ }))
  await see(page.getByText(/^At the bottom: Disclaimer · Vehicles are subject/).first())
  await page.setViewportSize(PHONE)
  expect(await findOverflow(page)).toEqual([])
  expect(await findA11yViolations(page)).toEqual([])

  // A colleague changes the note while the question is open.
  const { results } = await callAs(page, dvpLayouts.list, { search: 'Northgate 2026' })
  const id = results?.[0]?.id ?? ''
  await pressEnter(button(page, 'Restore version 2'))
  await see(page.getByText('As soon as you restore it, 1 published page shows its blocks.'))
  await callAs(page, dvpLayouts.update, { id, note: 'For winter' })
  const answer = (question: RegExp) =>
    page
      .getByRole('dialog', { name: question })
      .getByRole('button', { name: 'Restore version 2', exact: true })
  await answer(/^Restore version 2 of/).click()
  await see(page.getByText('Note: For winter instead of For offers of all stores.'))
  await answer(/changed this layout/).click()
  await see(page.getByText('Version 2 restored'), page.getByText('1 published page shows it now.'))
  await see(drawer(page).getByRole('heading', { name: 'Version 5 the current one' }))

  const visitor = await (await profile({ address: siteAddress() })).newPage()
  await visitor.goto('/p/november-trucks')
  await see(visitor.getByText(/^Vehicles are subject to prior sale\. The total price/))

  // What can't be restored as it is can be corrected in the form.
  const spring = await callAs(page, dvpLayouts.add, { name: 'Spring', note: 'Flowers' })
  await callAs(page, dvpLayouts.update, { id: spring.id, name: 'Summer', note: 'Sun' })
  await callAs(page, dvpLayouts.add, { name: 'Spring' })
  await page.goto(`/administration/dvp-layouts?layout=${spring.id}`)
  await page.locator('summary', { hasText: /^Versions$/ }).click()
  await button(page, 'Restore version 1').click()
  await page
    .getByRole('dialog', { name: /^Restore version 1 of Summer/ })
    .getByRole('button', { name: 'Restore version 1', exact: true })
    .click()
  await see(page.getByText('Name: This name is already in use.'))
  await button(page, 'Edit this version').click()
  await expect.poll(() => field(page, 'Note').inputValue()).toBe('Flowers')
})

test('a press in the preview opens its block, and the preview keeps its picture when it fails', async () => {
  const page = await newPage()
  await page.setViewportSize({ width: 1152, height: 800 })
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const { results } = await callAs(page, promoPages.list, { search: 'November truck' })
  await page.goto(`/administration/promo-pages/${results?.[0]?.id ?? ''}`)
  const preview = page.frameLocator('iframe[title="Preview of the page"]')
  const hero = page.getByRole('button', { name: /^Hero/ })
  await preview.getByRole('heading', { level: 1 }).click()
  await see(page.getByRole('button', { name: /^Hero/, expanded: true }))
  await page.waitForFunction(() => document.activeElement?.hasAttribute('data-toggle'))

  // Letters are undone by the browser, steps by the editor.
  const title = field(page, 'Title')
  const before = await title.inputValue()
  await title.focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' now')
  await see(preview.getByRole('heading', { name: `${before} now` }))
  await page.keyboard.press('Control+z')
  expect(await title.inputValue()).not.toBe(`${before} now`)
  await title.fill(`${before} now`)
  await hero.focus()
  await page.keyboard.press('Control+z')
  await see(page.getByText('Undone: Hero changed.'))
  expect(await title.inputValue()).toBe(before)
  await page.keyboard.press('Control+Shift+z')
  expect(await title.inputValue()).toBe(`${before} now`)
  // Typing goes on while it is saved, also after a space, which isn't saved.
  await title.focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' ')
  await page.keyboard.press('Control+s')
  await page.keyboard.type('and here')
  await see(page.getByText('Promo page saved').first())
  await page.keyboard.type(', too')
  expect(await title.inputValue()).toBe(`${before} now and here, too`)
  await button(page, 'Save changes').click()
  await miss(page.getByRole('region', { name: 'Unsaved changes' }))
  expect(await title.evaluate((one) => one === document.activeElement)).toBe(true)
  // While an answer is slow, letters after the click stay too.
  await page.route('**/update-promo-page', async (route) => {
    await see(page.locator('button[data-loading]', { hasText: 'Save changes' }))
    await page.keyboard.type(' so')
    await route.continue()
  })
  await page.keyboard.type('!')
  await button(page, 'Save changes').click()
  await see(page.getByText('Promo page saved').first())
  await expect.poll(() => title.inputValue()).toBe(`${before} now and here, too! so`)
  await page.unroute('**/update-promo-page')
  await title.fill(`${before} now`)
  // What is refused in another tab is said in this one.
  const tabs = page.getByRole('navigation', { name: 'Parts of this page' })
  await tabs.getByRole('link', { name: 'Settings' }).click()
  const former = await title.inputValue()
  await title.fill('Only $19,995')
  await tabs.getByRole('link', { name: 'Blocks' }).click()
  await page.keyboard.press('Control+s')
  await see(page.getByText(/^Title: “\$19,995” is typed by hand/))
  await tabs.getByRole('link', { name: 'Settings' }).click()
  await title.fill(former)
  await tabs.getByRole('link', { name: 'Blocks' }).click()

  // Saved for reuse, and inserted as a copy.
  await button(page, 'Save for reuse').click()
  const form = page.getByRole('dialog', { name: 'Save for reuse' })
  await form.getByLabel('Name').fill('Truck hero')
  await form.getByRole('button', { name: 'Save for reuse' }).click()
  await see(page.getByText('Saved for reuse').first())
  await button(page, 'Add block').click()
  await page.getByRole('menuitem', { name: /^Truck hero/ }).click()
  await see(page.getByText('Truck hero inserted.'))
  await page.keyboard.press('Control+z')
  await see(page.getByText('Undone: Truck hero inserted.'))

  await page.route('**/preview-promo-page', (route) => route.abort())
  await title.fill('Never shown')
  await see(
    page.getByText('This is the page before your last changes.'),
    preview.getByRole('heading', { name: `${before} now` }),
  )
  await page.unroute('**/preview-promo-page')
  await button(page, 'Try again').click()
  await see(preview.getByRole('heading', { name: 'Never shown' }))
  await button(page, 'Tablet').click()
  await button(page, 'Hide preview').click()
  expect(await page.getByTitle('Preview of the page').count()).toBe(0)

  // Two people change one text: what each changed is named as the page names it.
  const { id, version, blocks } = await callAs(page, promoPages.get, { id: results?.[0]?.id ?? '' })
  const theirs = blocks.map((one) =>
    one.type === 'hero' ? { ...one, data: { ...one.data, title: 'Theirs' } } : one,
  )
  await callAs(page, promoPages.update, { id, version, blocks: theirs })
  await button(page, 'Save changes').click()
  await button(page, 'Compare').click()
  await see(page.getByRole('cell', { name: /^Hero, Title: Theirs instead of / }))
  await button(page, 'Overwrite').click()
  await see(page.getByText('Promo page saved').first())

  // A window that becomes narrow closes the preview, not the editor.
  await button(page, 'Show preview').click()
  await see(preview.getByRole('heading', { name: 'Never shown' }))
  await title.focus()
  await page.keyboard.press('End')
  await page.setViewportSize({ width: 320, height: 800 })
  await expect.poll(() => page.getByTitle('Preview of the page').count()).toBe(0)
  await page.keyboard.type('!')
  expect(await title.inputValue()).toBe('Never shown!')
  expect(await findOverflow(page)).toEqual([])
  await button(page, 'Show preview').click()
  await see(preview.getByRole('heading', { name: 'Never shown' }))
  expect(await findOverflow(page)).toEqual([])
  expect(await findA11yViolations(page)).toEqual([])
})
