// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { forms } from '#contract/marketing/forms/forms.ts'
import type { Definition, Question } from '#contract/questions/definition.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { findA11yViolations } from '#e2e/harness/find-a11y-violations.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage, profile, product } = stage()
const en = (text: string) => ({ en: text })
const choices = (...values: string[]) => values.map((value) => ({ value, title: en(value) }))
const EMAIL: Question = { type: 'email', code: 'email', title: en('Email'), obligation: 'required' }

async function publish(key: string, sections: Definition['sections']): Promise<string> {
  const office = await newPage()
  await signIn(office, 'northgate.admin', 'Northgate Ford')
  const form = await callAs(office, forms.add, {
    name: `Form ${key}`,
    key,
    draft: { languages: ['en'], sections },
    leadFields: { email: 'email' },
    thankYouTitle: 'Thank you',
    thankYouText: 'We will answer soon.',
  })
  await callAs(office, forms.publish, { id: form.id, version: form.version })
  const address = new URL(product().address)
  address.hostname = 'northgate.localhost'
  return address.origin
}

const question = (page: Page, name: string) => page.getByText(name, { exact: true })

test('questions come and go with the answers of their step, keep what was typed, and are sent only while they are asked', async () => {
  const site = await publish('buy-or-sell', [
    {
      id: 'ask',
      title: en('Ask'),
      questions: [
        EMAIL,
        { type: 'single', code: 'what', title: en('Buy or sell?'), choices: choices('buy', 'sell') },
        {
          type: 'longText',
          code: 'car',
          title: en('Which car?'),
          obligation: 'required',
          visibleIf: 'what == "sell"',
        },
        { type: 'boolean', code: 'paid', title: en('Is it paid off?'), visibleIf: 'what == "sell"' },
        {
          type: 'number',
          code: 'owed',
          title: en('How much is owed?'),
          visibleIf: 'paid != null && !paid',
        },
        { type: 'file', code: 'photos', title: en('Photos'), visibleIf: 'what == "sell"' },
      ],
    },
  ])
  const page = await (await profile({ address: site })).newPage()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/f/buy-or-sell')
  await miss(question(page, 'Which car?'))
  await page.getByLabel('sell', { exact: true }).press('Space')
  await see(page.getByText('New question: Which car?', { exact: false }))
  await page.getByLabel('Which car?').fill('A red one')
  await page.getByLabel('Photos').setInputFiles({
    name: 'front.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1]),
  })
  await page.getByLabel('No', { exact: true }).check()
  await page.getByLabel('How much is owed?').fill('900')
  expect(await findA11yViolations(page, { isWhole: true })).toEqual([])

  // All of them go at once, also the one that depends on another, and come back as they were.
  await page.getByLabel('buy', { exact: true }).check()
  await see(page.getByText('No longer asked: Which car?', { exact: false }))
  await miss(page.getByLabel('Which car?'), page.getByLabel('How much is owed?'), page.getByLabel('Photos'))
  await button(page, 'Send').click()
  await see(page.getByRole('heading', { name: 'Please check one answer' }))
  await page.getByLabel('sell', { exact: true }).check()
  expect(await page.getByLabel('Which car?').inputValue()).toBe('A red one')
  expect(await page.getByLabel('How much is owed?').inputValue()).toBe('900')
  expect(
    await page
      .getByLabel('Photos')
      .evaluate((input) => input instanceof HTMLInputElement && input.files?.[0]?.name),
  ).toBe('front.jpg')

  await page.getByLabel('buy', { exact: true }).check()
  await page.getByLabel('Email').fill('bo@mail.example')
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/f/buy-or-sell')),
    button(page, 'Send').click(),
  ])
  await see(page.getByRole('heading', { name: 'Thank you' }))
  const body = request.postData() ?? ''
  expect(body).toContain('bo@mail.example')
  for (const hidden of ['A red one', '900', 'front.jpg']) expect(body).not.toContain(hidden)
})

/** A question of each type that rules can use, the rule, and how its answer is given and taken back. */
const DRIVERS: readonly (readonly [Question, string, (page: Page, isGiven: boolean) => Promise<unknown>])[] =
  [
    [
      { type: 'text', code: 'aText', title: en('A text') },
      'aText == "Éva"',
      (page, isGiven) => page.getByLabel('A text').fill(isGiven ? ' éVA ' : 'Ev'),
    ],
    [
      { type: 'longText', code: 'aLong', title: en('A long text') },
      'size(aLong) > 3',
      (page, isGiven) => page.getByLabel('A long text').fill(isGiven ? 'word' : 'no'),
    ],
    [
      EMAIL,
      'email.endsWith("@mail.example")',
      (page, isGiven) =>
        page.getByLabel('Email', { exact: true }).fill(isGiven ? 'a@mail.example' : 'a@mail.exam'),
    ],
    [
      { type: 'phone', code: 'aPhone', title: en('A phone') },
      'aPhone != null',
      (page, isGiven) => page.getByLabel('A phone').fill(isGiven ? '(916) 555-0177' : ''),
    ],
    [
      { type: 'url', code: 'anUrl', title: en('An address') },
      'anUrl != null',
      (page, isGiven) => page.getByLabel('An address').fill(isGiven ? 'https://a.example' : ''),
    ],
    [
      { type: 'vin', code: 'aVin', title: en('A VIN') },
      'aVin != null',
      (page, isGiven) => page.getByLabel('A VIN').fill(isGiven ? '1FTEW1EP5KFA12345' : '1FT'),
    ],
    [
      { type: 'postalCode', code: 'aZip', title: en('A ZIP code') },
      'aZip == "95814"',
      (page, isGiven) => page.getByLabel('A ZIP code').fill(isGiven ? '95814' : '95815'),
    ],
    [
      { type: 'number', code: 'aNumber', title: en('A number') },
      'aNumber >= 1500',
      (page, isGiven) => page.getByLabel('A number').fill(isGiven ? '1,500' : '1,499.99'),
    ],
    [
      { type: 'date', code: 'aDay', title: en('A day') },
      'aDay < date("2026-03-02")',
      (page, isGiven) => page.getByLabel('A day').fill(isGiven ? '2026-03-01' : '2026-03-02'),
    ],
    [
      { type: 'boolean', code: 'aFlag', title: en('A flag') },
      'aFlag',
      (page, isGiven) => page.getByRole('radio', { name: isGiven ? 'Yes' : 'No', exact: true }).check(),
    ],
    [
      { type: 'single', code: 'aChoice', title: en('A choice'), choices: choices('red'), allowOther: true },
      'aChoice == "other"',
      async (page, isGiven) => {
        await page.getByLabel('Other: A choice').fill('gray')
        await page.getByRole('radio', { name: isGiven ? 'Other' : 'red', exact: true }).check()
      },
    ],
    [
      {
        type: 'single',
        code: 'aList',
        title: en('A list'),
        choices: choices('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9'),
      },
      'aList in ["a8", "a9"]',
      (page, isGiven) => page.getByLabel('A list').selectOption(isGiven ? 'a9' : 'a1'),
    ],
    [
      { type: 'multiple', code: 'some', title: en('Some'), choices: choices('dent', 'rust') },
      '"rust" in some',
      (page, isGiven) => page.getByLabel('rust').setChecked(isGiven),
    ],
    [
      { type: 'rating', code: 'stars', title: en('Stars'), max: 5 },
      'stars > 3',
      (page, isGiven) => page.getByRole('radio', { name: isGiven ? '4' : '3', exact: true }).check(),
    ],
    [
      {
        type: 'table',
        code: 'cars',
        title: en('Cars'),
        columns: [{ type: 'number', code: 'miles', title: en('Miles'), total: 'allMiles' }],
      },
      'allMiles > 100',
      async (page, isGiven) => {
        await page.getByLabel('Miles, Row 1').fill('60')
        await page.getByLabel('Miles, Row 2').fill(isGiven ? '60' : '')
      },
    ],
    [
      {
        type: 'consent',
        code: 'agrees',
        title: en('Agrees'),
        text: en('I agree.'),
        version: 1,
        purpose: 'marketing',
        channels: ['email'],
      },
      'agrees',
      (page, isGiven) => page.getByLabel('I agree.').setChecked(isGiven),
    ],
  ]

const followUp = (code: string): string => `Follow-up of ${code}.`

test('rules may use a question of every type, and a calculated one', async () => {
  const dependents = DRIVERS.map(([{ code }, visibleIf]): Question => ({
    type: 'text',
    code: `${code}More`,
    title: en(followUp(code)),
    visibleIf,
  }))
  const site = await publish('every-rule', [
    {
      id: 'ask',
      title: en('Ask'),
      questions: [
        ...DRIVERS.map(([driver]) => driver),
        { type: 'computed', code: 'twice', title: en('Twice'), calculate: 'aNumber * 2', result: 'number' },
        ...dependents,
        { type: 'text', code: 'twiceMore', title: en('Follow-up of twice.'), visibleIf: 'twice == 3000' },
      ],
    },
  ])
  const page = await (await profile({ address: site })).newPage()
  await page.goto('/f/every-rule')
  for (const [{ code }, , answer] of DRIVERS) {
    const name = followUp(code)
    for (const isGiven of [true, false, true]) {
      await answer(page, isGiven)
      await (isGiven ? see : miss)(page.getByLabel(name))
    }
  }
  await see(page.getByLabel('Follow-up of twice.'))
  for (const [{ code }] of DRIVERS) await page.getByLabel(followUp(code)).fill('seen')
  await button(page, 'Send').click()
  await see(page.getByRole('heading', { name: 'Thank you' }))
  expect(new URL(page.url()).pathname).toBe('/f/every-rule/thanks')
})
