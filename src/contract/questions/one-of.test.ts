import { describe, expect, test } from 'vitest'
import { compareDefinitions } from './changes.ts'
import { checkDefinition } from './check-definition.ts'
import { compileDefinition } from './compile.ts'
import { Definition } from './definition.ts'
import { evaluateAnswers, type EvaluateOptions } from './evaluate.ts'
import { inGroups } from './one-of.ts'
import { withObligations } from './obligations.ts'

const OPTIONS: EvaluateOptions = { language: 'en', now: new Date('2026-11-25T15:00:00Z'), zone: 'UTC' }
const en = (text: string) => ({ en: text })
const text = (code: string, more: object = {}) => ({ type: 'text', code, title: en(code), ...more })
const EMAIL = { type: 'email', code: 'email', title: { en: 'Email', es: 'Correo' }, oneOf: 'contact' }
const PHONE = { type: 'phone', code: 'phone', title: { en: 'Phone', es: 'Teléfono' }, oneOf: 'contact' }
const define = (...questions: readonly object[]) =>
  Definition.parse({
    languages: ['en', 'es'],
    sections: [{ id: 'you', title: { en: 'You', es: 'Usted' }, questions }],
  })
const evaluate = (
  definition: Definition,
  answers: Record<string, unknown> = {},
  options: Partial<EvaluateOptions> = {},
) => evaluateAnswers(compileDefinition(definition), answers, { ...OPTIONS, ...options })
const messages = (...given: Parameters<typeof evaluate>) =>
  evaluate(...given).problems.map(({ question, message }) => `${question}: ${message}`)

describe('one of several questions must be answered', () => {
  const contact = define(text('name', { obligation: 'required' }), EMAIL, PHONE)

  test('none of them is one problem, and counts as one required question', () => {
    const { problems, required, oneOf, progress } = evaluate(contact, { name: 'Ann' })
    expect(problems).toEqual([
      {
        question: 'email',
        section: 'you',
        code: 'oneRequired',
        message: 'Enter an email address or a phone number.',
        oneOf: ['email', 'phone'],
      },
    ])
    expect(required).toEqual(['name'])
    expect(oneOf).toEqual([
      { name: 'contact', section: 'you', questions: ['email', 'phone'], isAnswered: false },
    ])
    expect(progress).toEqual({ questions: 3, answered: 1, required: 2, requiredAnswered: 1 })
  })

  test.for(['email', 'phone'])('%s is enough', (code) => {
    const answer = code === 'email' ? 'ann@example.com' : '614 555 0134'
    const { isValid, progress } = evaluate(contact, { name: 'Ann', [code]: answer })
    expect(isValid).toBe(true)
    expect(progress).toMatchObject({ required: 2, requiredAnswered: 2 })
  })

  test('a mistyped answer is one mistake: its own', () => {
    expect(messages(contact, { name: 'Ann', email: 'ann' })).toEqual([
      'email: Enter an email address, like name@example.com.',
    ])
    const { progress } = evaluate(contact, { name: 'Ann', email: 'ann' })
    expect(progress).toMatchObject({ required: 2, requiredAnswered: 1 })
  })

  test('the message names the questions in the language of the reader, unless the author wrote one', () => {
    const title = { en: 'License plate', es: 'Matrícula' }
    const car = [
      { type: 'vin', code: 'vin', title: { en: 'VIN', es: 'VIN' }, oneOf: 'car' },
      text('plate', { title, oneOf: 'car' }),
    ]
    expect(messages(define(...car))).toEqual(['vin: Answer one of these: VIN, License plate.'])
    expect(messages(define(...car), {}, { language: 'es' })).toEqual([
      'vin: Responda a una de estas preguntas: VIN, Matrícula.',
    ])
    const own = { required: { en: 'Which car is it?', es: '¿Qué coche es?' } }
    const written = define(car[0] ?? {}, { ...car[1], messages: own })
    expect(messages(written)).toEqual(['vin: Which car is it?'])
    expect(messages(written, {}, { language: 'es' })).toEqual(['vin: ¿Qué coche es?'])
  })

  test('only those that are asked count; one that is asked alone is required', () => {
    const called = define({ type: 'boolean', code: 'call', title: en('Call me') }, EMAIL, {
      ...PHONE,
      visibleIf: 'call',
    })
    expect(evaluate(called).required).toEqual(['email'])
    expect(evaluate(called).oneOf).toEqual([])
    expect(messages(called)).toEqual(['email: Answer this question.'])
    expect(messages(called, { call: true })).toEqual(['email: Enter an email address or a phone number.'])
    expect(messages(called, { call: true, phone: '614 555 0134' })).toEqual([])
    // Without any of them, nothing is missing.
    const none = define(
      { ...EMAIL, visibleIf: 'call' },
      { ...PHONE, visibleIf: 'call' },
      {
        type: 'boolean',
        code: 'call',
        title: en('Call me'),
      },
    )
    expect(evaluate(none)).toMatchObject({ isValid: true, progress: { required: 0 } })
  })

  test('an answer that is set aside does not count', () => {
    const called = define(
      text('way'),
      EMAIL,
      { ...PHONE, visibleIf: 'way == "call"' },
      { ...text('fax'), oneOf: 'contact' },
    )
    const { problems } = evaluate(called, { way: 'mail', phone: '614 555 0134' }, { setAside: true })
    expect(problems.map(({ code, oneOf }) => [code, oneOf])).toEqual([['oneRequired', ['email', 'fax']]])
  })

  test('obligations by edition leave groups as they are', () => {
    expect(withObligations(contact, { edition: null, size: 'small' })).toEqual(contact)
  })
})

describe('a group that can not work is a fault', () => {
  const faultsOf = (...questions: readonly object[]) =>
    checkDefinition(define(...questions))
      .faults.filter(({ path, severity }) => severity === 'error' || path.includes('messages'))
      .filter(({ message }) => !message.includes('translat'))
      .map(({ path, message }) => `${path.slice(3).join('.')}: ${message}`)
  const note = { type: 'note', code: 'note', title: en('Note'), text: en('Note') }
  const consent = {
    type: 'consent',
    code: 'news',
    title: en('News'),
    text: en('Yes'),
    version: 1,
    purpose: 'marketing',
    channels: ['email'],
  }
  const REQUIRED = "oneOf: One of several is enough, so this question can't be required itself."

  test.for<[string, readonly object[], readonly string[]]>([
    ['two questions', [EMAIL, PHONE], []],
    [
      'a hidden field between them',
      [EMAIL, text('source', { isHidden: true, prefill: 'source' }), PHONE],
      [],
    ],
    [
      'one question',
      [EMAIL],
      ['0.oneOf: Choose another question of which one must be answered, or make this one required.'],
    ],
    [
      'a note',
      [EMAIL, PHONE, { ...note, oneOf: 'contact' }],
      ["2.oneOf: A note can't be one of several of which one must be answered."],
    ],
    [
      'a consent',
      [EMAIL, PHONE, { ...consent, oneOf: 'contact' }],
      ["2.oneOf: A consent can't be one of several of which one must be answered."],
    ],
    [
      'a hidden field',
      [EMAIL, PHONE, { ...text('a', { isHidden: true, prefill: 'a' }), oneOf: 'contact' }],
      ["2.oneOf: A hidden field can't be one of several of which one must be answered."],
    ],
    ['a required question', [EMAIL, { ...PHONE, obligation: 'required' }], [`1.${REQUIRED}`]],
    ['a question that may not apply', [EMAIL, { ...PHONE, obligation: 'ifApplicable' }], [`1.${REQUIRED}`]],
    ['a rule', [EMAIL, { ...PHONE, requiredIf: 'email == null' }], [`1.${REQUIRED}`]],
    [
      'a size',
      [EMAIL, { ...PHONE, obligations: [{ sizes: ['large'], obligation: 'required' }] }],
      [`1.${REQUIRED}`],
    ],
    [
      'a name that is none',
      [
        { ...EMAIL, oneOf: 'a b' },
        { ...PHONE, oneOf: 'a b' },
      ],
      [
        '0.oneOf: The name of a group has letters, digits and _, and starts with a letter.',
        '1.oneOf: The name of a group has letters, digits and _, and starts with a letter.',
      ],
    ],
    [
      'a question between them',
      [EMAIL, text('name'), PHONE],
      ['2.oneOf: Move this question next to the others of which one must be answered.'],
    ],
    [
      'too many',
      Array.from({ length: 11 }, (_, at) => text(`q${at}`, { oneOf: 'many' })),
      ['10.oneOf: At most 10 questions can be alternatives.'],
    ],
    [
      'two messages',
      [
        { ...EMAIL, messages: { required: en('How?') } },
        { ...PHONE, messages: { required: en('How?') } },
      ],
      ['1.messages.required: This message is never shown: another question of the group has one.'],
    ],
  ])('%s', ([, questions, faults]) => {
    expect(faultsOf(...questions)).toEqual(faults)
  })

  test('a group ends with its section', () => {
    const both = Definition.parse({
      languages: ['en'],
      sections: [EMAIL, PHONE].map((question, at) => ({
        id: `s${at}`,
        title: en('S'),
        questions: [question],
      })),
    })
    const { faults } = checkDefinition(both)
    expect(faults.filter(({ path }) => path.includes('oneOf'))).toHaveLength(2)
  })
})

test('versions that differ in a group say what it means for answers', () => {
  const loose = (question: object) => ({ ...question, oneOf: undefined })
  const one = define(loose(EMAIL), loose(PHONE), text('fax'))
  const two = define(EMAIL, PHONE, text('fax'))
  const three = define(EMAIL, PHONE, text('fax', { oneOf: 'contact' }))
  const read = (before: Definition, after: Definition) =>
    compareDefinitions(before, after).map(({ effect, message }) => `${effect}: ${message}`)
  expect(read(one, two)).toEqual([
    'review: Email: one of these must be answered: Email, Phone.',
    'review: Phone: one of these must be answered: Email, Phone.',
  ])
  expect(read(two, three)).toEqual([
    'kept: Email: one of these must be answered: Email, Phone, fax.',
    'kept: Phone: one of these must be answered: Email, Phone, fax.',
    'review: fax: one of these must be answered: Email, Phone, fax.',
  ])
  expect(read(three, two).slice(0, 1)).toEqual([
    'review: Email: one of these must be answered: Email, Phone.',
  ])
  expect(read(two, one)[0]).toBe('kept: Email: no longer one of several of which one must be answered.')
})

test('what belongs together is shown together', () => {
  const { groups } = compileDefinition(define(text('name'), EMAIL, PHONE, text('more')))
  expect(inGroups(['name', 'email', 'phone', 'more'], groups).map(({ codes }) => codes)).toEqual([
    ['name'],
    ['email', 'phone'],
    ['more'],
  ])
})
