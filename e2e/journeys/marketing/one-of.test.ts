// @module-tag release
import { expect, test } from 'vitest'
import { forms } from '#contract/marketing/forms/forms.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { findA11yViolations } from '#e2e/harness/find-a11y-violations.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, miss, pressEnter, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage, profile, product } = stage()
const en = (text: string) => ({ en: text })
const MISTAKE = 'Enter an email address or a phone number.'
const TITLE = 'Email address or phone number'

const draftOf = (...questions: Definition['sections'][number]['questions']): Definition => ({
  languages: ['en'],
  sections: [{ id: 'ask', title: en('Ask'), questions }],
})

async function addForm(key: string, draft: Definition) {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const form = await callAs(page, forms.add, {
    name: `Form ${key}`,
    key,
    draft,
    leadFields: { email: 'email', phone: 'phone' },
    thankYouTitle: 'Thank you',
    thankYouText: 'We will answer soon.',
  })
  return { page, form }
}

function siteAddress(): string {
  const address = new URL(product().address)
  address.hostname = 'northgate.localhost'
  return address.origin
}

test('questions become alternatives with the keyboard, visitors see one mistake, and removing one dissolves the group', async () => {
  const { page, form } = await addForm(
    'either',
    draftOf(
      { type: 'email', code: 'email', title: en('Email'), obligation: 'required' },
      { type: 'longText', code: 'message', title: en('Message') },
      { type: 'phone', code: 'phone', title: en('Phone') },
    ),
  )
  await page.goto(`/dvp/forms/${form.id}`)
  const outline = page.getByRole('navigation', { name: 'Questions' })
  const titles = async () =>
    (await outline.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0]?.trim())
  await outline.getByRole('button', { name: 'Email' }).focus()
  await page.keyboard.press('Enter')
  await see(page.getByLabel('Required', { exact: true }))
  const alternatives = page.getByRole('combobox', { name: 'Alternatives' })
  await alternatives.focus()
  await page.keyboard.press('ArrowDown')
  const phone = page.getByRole('option', { name: 'Phone' })
  await see(phone)
  const isReached = () => phone.evaluate((option) => option.hasAttribute('data-combobox-selected'))
  for (let step = 0; step < 3; step += 1) {
    // Each key is pressed where the one before it led.
    // oxlint-disable-next-line no-await-in-loop
    if (!(await isReached())) await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await see(page.getByText('Or instead: Phone'), page.getByText('Or instead: Email'))
  await miss(page.getByLabel('Required', { exact: true }))
  // They stand next to each other now.
  expect((await titles()).join(' ')).toContain('Email Phone Message')
  expect(await findA11yViolations(page)).toEqual([])
  await pressEnter(button(page, 'Publish'))
  await see(page.getByRole('alert').filter({ hasText: 'Form published' }))

  const visitor = await (await profile({ address: siteAddress() })).newPage()
  await visitor.setViewportSize({ width: 390, height: 800 })
  await visitor.goto('/f/either')
  const group = visitor.getByRole('group', { name: TITLE })
  await see(group.getByLabel('Email', { exact: true }), group.getByLabel('Phone', { exact: true }))
  await button(visitor, 'Send').click()
  await see(visitor.getByRole('heading', { name: 'Please check one answer' }))
  expect(await visitor.getByText(MISTAKE).count()).toBe(2)
  expect(await findA11yViolations(visitor, { isWhole: true })).toEqual([])
  await visitor.getByRole('link', { name: MISTAKE }).press('Enter')
  const email = visitor.getByLabel('Email', { exact: true })
  await expect.poll(() => email.evaluate((input) => input === document.activeElement)).toBe(true)
  for (const name of ['Email', 'Phone']) {
    const input = visitor.getByLabel(name, { exact: true })
    expect(await input.getAttribute('aria-invalid')).toBe('true')
    const described = await input.getAttribute('aria-describedby')
    expect(await visitor.locator(`#${described}`).innerText()).toBe(MISTAKE)
  }
  await visitor.getByLabel('Phone', { exact: true }).fill('916 555 0177')
  await button(visitor, 'Send').click()
  await see(visitor.getByRole('heading', { name: 'Thank you' }))

  // Without the other one, the question stands alone.
  await outline.getByRole('button', { name: 'Phone' }).click()
  await page.getByRole('button', { name: 'Delete: phone' }).click()
  await miss(page.getByText('Or instead: Phone'))
  await outline.getByRole('button', { name: 'Email' }).click()
  await see(page.getByLabel('Required', { exact: true }))
  await miss(page.getByText('Or instead', { exact: false }))
})

test('a question that an answer leads to joins its alternatives at once', async () => {
  const { page, form } = await addForm(
    'later',
    draftOf(
      { type: 'boolean', code: 'call', title: en('May we call you?') },
      { type: 'email', code: 'email', title: en('Email'), oneOf: 'contact' },
      { type: 'phone', code: 'phone', title: en('Phone'), oneOf: 'contact', visibleIf: 'call' },
    ),
  )
  await callAs(page, forms.publish, { id: form.id, version: form.version })
  const visitor = await (await profile({ address: siteAddress() })).newPage()
  await visitor.goto('/f/later')
  const title = visitor.getByText(TITLE, { exact: true })
  await see(visitor.getByLabel('Email', { exact: true }))
  await miss(title)
  await visitor.getByLabel('Yes', { exact: true }).check()
  await see(title, visitor.getByLabel('Phone', { exact: true }))
  await visitor.getByLabel('Phone', { exact: true }).fill('916 555 0177')
  await visitor.getByLabel('No', { exact: true }).check()
  await miss(title, visitor.getByLabel('Phone', { exact: true }))
  await button(visitor, 'Send').click()
  await see(visitor.getByRole('link', { name: 'Email: Answer this question.' }))
  await visitor.getByLabel('Yes', { exact: true }).check()
  await see(title)
  expect(await visitor.getByLabel('Phone', { exact: true }).inputValue()).toBe('916 555 0177')
  await button(visitor, 'Send').click()
  await see(visitor.getByRole('heading', { name: 'Thank you' }))
})
