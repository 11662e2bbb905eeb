import { describe, expect, test } from 'vitest'
import { compileDefinition } from './compile.ts'
import { Definition } from './definition.ts'
import { evaluateAnswers, type EvaluateOptions } from './evaluate.ts'

const NOW = new Date('2026-11-25T15:00:00Z')
const OPTIONS: EvaluateOptions = { language: 'en', now: NOW, zone: 'America/New_York' }
const en = (text: string) => ({ en: text })

const INQUIRY = Definition.parse({
  languages: ['en', 'es'],
  sections: [
    {
      id: 'contact',
      title: en('Contact'),
      questions: [
        { type: 'note', code: 'intro', title: en('Welcome'), text: en('Ask us anything.') },
        { type: 'text', code: 'name', title: en('Name'), obligation: 'required', maxLength: 80 },
        {
          type: 'email',
          code: 'email',
          title: en('Email'),
          requiredIf: 'phone == null',
          messages: {
            required: {
              en: 'Enter an email address or a phone number.',
              es: 'Indique un correo o un teléfono.',
            },
          },
        },
        { type: 'phone', code: 'phone', title: en('Phone') },
        { type: 'text', code: 'campaign', title: en('Campaign'), isHidden: true, prefill: 'utm_campaign' },
      ],
    },
    {
      id: 'vehicle',
      title: en('Vehicle'),
      questions: [
        {
          type: 'single',
          code: 'interest',
          title: en('I want to'),
          allowOther: true,
          choices: [
            { value: 'buy', title: en('Buy') },
            { value: 'trade', title: en('Trade in') },
          ],
        },
        {
          type: 'number',
          code: 'mileage',
          title: en('Mileage'),
          visibleIf: 'interest == "trade"',
          obligation: 'required',
          decimals: 0,
          min: '0',
        },
        { type: 'longText', code: 'damage', title: en('Damage'), visibleIf: 'mileage > 100000' },
        {
          type: 'multiple',
          code: 'extras',
          title: en('Extras'),
          maxChoices: 2,
          choices: ['a', 'b', 'c'].map((value) => ({ value, title: en(value) })),
        },
        {
          type: 'date',
          code: 'visit',
          title: en('Visit'),
          check: 'visit >= today()',
          messages: { check: en('Choose today or later.') },
        },
        { type: 'boolean', code: 'financing', title: en('Financing') },
      ],
    },
    {
      id: 'consent',
      title: en('Consent'),
      visibleIf: 'email != null || phone != null',
      questions: [
        {
          type: 'consent',
          code: 'calls',
          title: en('Calls'),
          text: en('{seller} may call me.'),
          version: 3,
          purpose: 'inquiry',
          channels: ['call'],
        },
      ],
    },
  ],
})
const compiled = compileDefinition(INQUIRY)
const evaluate = (answers: Record<string, unknown>, options: Partial<EvaluateOptions> = {}) =>
  evaluateAnswers(compiled, answers, { ...OPTIONS, ...options })
const codes = (answers: Record<string, unknown>, options: Partial<EvaluateOptions> = {}) =>
  evaluate(answers, options).problems.map(({ question, code }) => `${question} ${code}`)

describe('what is asked', () => {
  test('an empty form shows what no rule hides, without hidden fields', () => {
    const { visible, sections, required, progress } = evaluate({})
    expect(visible).toEqual(['intro', 'name', 'email', 'phone', 'interest', 'extras', 'visit', 'financing'])
    expect(sections.map(({ id }) => id)).toEqual(['contact', 'vehicle'])
    expect(required).toEqual(['name', 'email'])
    expect(progress).toEqual({ questions: 7, answered: 0, required: 2, requiredAnswered: 0 })
  })

  test('a question follows the answers that its rule names, and a section its own rule', () => {
    const { visible } = evaluate({ interest: 'trade', mileage: '120000', email: 'a@b.co' })
    expect(visible).toContain('damage')
    expect(visible).toContain('calls')
    expect(evaluate({ interest: 'trade', mileage: '90000' }).visible).not.toContain('damage')
  })

  test('an answer that is set aside is missing to other rules', () => {
    const { visible, answers, setAside, isValid } = evaluate(
      { name: 'Ann', email: 'a@b.co', interest: 'buy', mileage: '120000', damage: 'None' },
      { setAside: true },
    )
    expect(visible).not.toContain('mileage')
    expect(visible).not.toContain('damage')
    expect(answers).toEqual({ name: 'Ann', email: 'a@b.co', interest: 'buy' })
    expect(setAside).toEqual({ mileage: '120000', damage: 'None' })
    expect(isValid).toBe(true)
  })
})

describe('strict answers', () => {
  const valid = { name: 'Ann', email: 'ann@example.com' }
  test.for<[string, Record<string, unknown>, string[]]>([
    ['nothing', {}, ['name required', 'email required']],
    ['a phone number instead of an email address', { name: 'Ann', phone: '614 555 0134' }, []],
    ['an unknown question', { ...valid, color: 'red' }, ['color unknown']],
    ['the name of a part of every object', { ...valid, constructor: 'x' }, ['constructor unknown']],
    ['an answer to a note', { ...valid, intro: 'x' }, ['intro notAnswerable']],
    ['an answer to a question that is not asked', { ...valid, mileage: '5' }, ['mileage notAsked']],
    ['text as a number', { ...valid, interest: 'trade', mileage: 'many' }, ['mileage notANumber']],
    ['a part of a mile', { ...valid, interest: 'trade', mileage: '1.5' }, ['mileage wholeNumber']],
    ['less than the minimum', { ...valid, interest: 'trade', mileage: -1 }, ['mileage tooSmall']],
    ['a choice not in the list', { ...valid, interest: 'sell' }, ['interest notAChoice']],
    ['a choice twice', { ...valid, extras: ['a', 'a'] }, ['extras duplicateChoice']],
    ['too many choices', { ...valid, extras: ['a', 'b', 'c'] }, ['extras tooManyChoices']],
    ['an answer from another list', { ...valid, extras: [{ other: 'x' }] }, ['extras notAChoice']],
    ['February 30', { ...valid, visit: '2027-02-30' }, ['visit notADate']],
    ['a check', { ...valid, visit: '2026-11-24' }, ['visit check']],
    ['a passed check', { ...valid, visit: '2026-11-25' }, []],
    ['text as yes or no', { ...valid, financing: 'true' }, ['financing wrongType']],
    ['too long a text', { ...valid, name: 'x'.repeat(81) }, ['name tooLong']],
    ['a text of a million characters', { ...valid, name: 'x'.repeat(1_000_000) }, ['name tooLong']],
    ['several lines in a line', { ...valid, name: 'Ann\nLee' }, ['name character']],
    ['an object as text', { ...valid, name: { first: 'Ann' } }, ['name wrongType']],
    ['a refusal that is not offered', { ...valid, name: { refused: 'No' } }, ['name notRefusable']],
    [
      'the consent to a former text',
      { ...valid, calls: { isGiven: true, version: 2 } },
      ['calls consentChanged'],
    ],
    ['a consent without its version', { ...valid, calls: true }, ['calls wrongType']],
    ['an unpaired surrogate', { ...valid, name: 'A\ud800' }, ['name character']],
  ])('%s', ([, answers, problems]) => {
    expect(codes(answers)).toEqual(problems)
  })

  test('a text is stored as it is usually written', () => {
    const { answers } = evaluate(
      {
        name: '  Ann ',
        email: 'Ann.Lee@Example.COM',
        phone: '(614) 555-0134',
        interest: { other: ' Lease ' },
        extras: ['c', 'a'],
      },
      { seller: { name: 'Northgate Ford', country: 'US' } },
    )
    expect(answers).toEqual({
      name: 'Ann',
      email: 'Ann.Lee@example.com',
      phone: '+16145550134',
      interest: { other: 'Lease' },
      extras: ['a', 'c'],
    })
  })

  test('a phone number without a country stays as entered', () => {
    expect(evaluate({ phone: '(614) 555-0134' }).answers.phone).toBe('(614) 555-0134')
  })

  test("an author's message is in the language of the visitor", () => {
    const messages = evaluate({ name: 'Ann' }, { language: 'es' }).problems.map(({ message }) => message)
    expect(messages).toEqual(['Indique un correo o un teléfono.'])
  })
})

test('a hidden field is kept, and left out when it is not valid', () => {
  expect(evaluate({ campaign: 'spring' }).answers).toEqual({ campaign: 'spring' })
  const { answers, ignored, problems } = evaluate({
    name: 'Ann',
    phone: '+1 614 555 0134',
    campaign: 'x'.repeat(501),
  })
  expect(ignored).toEqual(['campaign'])
  expect(problems).toEqual([])
  expect(answers.campaign).toBeUndefined()
})

test('a consent has the exact text with the seller', () => {
  const { consents } = evaluate(
    { email: 'a@b.co', calls: { isGiven: true, version: 3 } },
    { seller: { name: 'Northgate $& Ford' }, language: 'es' },
  )
  expect(consents).toEqual([
    {
      question: 'calls',
      isGiven: true,
      version: 3,
      language: 'en',
      text: 'Northgate $& Ford may call me.',
      seller: 'Northgate $& Ford',
      purpose: 'inquiry',
      channels: ['call'],
    },
  ])
})
