import { expect, test } from 'vitest'
import { checkQuestionnaire } from '../questionnaires/check-questionnaire.ts'
import { ImportFault } from './imported.ts'
import { readSurveyJs } from './read-surveyjs.ts'
import { readXlsForm } from './read-xlsform.ts'

const SURVEY = {
  title: { default: 'Supplier survey', es: 'Encuesta' },
  triggers: [{ type: 'complete' }],
  pages: [
    {
      name: 'p1',
      title: 'About you',
      elements: [
        { type: 'text', name: 'company name', title: 'Company', isRequired: true },
        { type: 'text', name: 'staff', title: 'Employees', inputType: 'number', min: 0 },
        {
          type: 'checkbox',
          name: 'fuels',
          title: { default: 'Fuels', es: 'Combustibles' },
          choices: ['gas', { value: 'oil', text: { default: 'Oil', es: 'Aceite' } }],
          showNoneItem: true,
          hasOther: true,
        },
        {
          type: 'panel',
          name: 'details',
          title: 'Details',
          visibleIf: '{staff} > 10',
          elements: [
            { type: 'comment', name: 'why', title: 'Why?', visibleIf: "{fuels} contains 'oil'" },
            { type: 'signaturepad', name: 'sign' },
          ],
        },
        { type: 'text', name: 'strange', title: 'Strange', visibleIf: 'age({staff}) > 1' },
        { type: 'matrix', name: 'rate', title: 'Rate', columns: [1, 2], rows: ['price', 'service quality'] },
        {
          type: 'paneldynamic',
          name: 'sites',
          title: 'Sites',
          templateElements: [
            { type: 'text', name: 'city', title: 'City', isRequired: true },
            { type: 'text', name: 'area', title: 'Area', inputType: 'number' },
            { type: 'file', name: 'photo' },
          ],
        },
        { type: 'text', name: '__proto__', title: 'Hostile' },
      ],
    },
  ],
}

test('a SurveyJS survey keeps every question and choice, or names it', () => {
  const { name, draft, scoring, notes } = readSurveyJs(SURVEY, 'file')
  expect(name).toBe('Supplier survey')
  expect(draft.languages).toEqual(['en', 'es'])
  const questions = draft.sections.flatMap((section) => section.questions)
  expect(questions.map(({ code, type, visibleIf }) => [code, type, visibleIf ?? ''])).toEqual([
    ['company_name', 'text', ''],
    ['staff', 'number', ''],
    ['fuels', 'multiple', ''],
    ['details', 'note', 'staff > 10'],
    ['why', 'longText', '(staff > 10) && ("oil" in fuels)'],
    ['strange', 'text', ''],
    ['rate', 'matrix', ''],
    ['sites', 'table', ''],
    ['q_proto__', 'text', ''],
  ])
  expect(questions[2]).toMatchObject({
    allowOther: true,
    choices: [{ value: 'gas' }, { value: 'oil', title: { en: 'Oil', es: 'Aceite' } }, { value: 'none' }],
  })
  expect(questions[7]).toMatchObject({
    columns: [
      { code: 'city', isRequired: true },
      { code: 'area', type: 'number' },
    ],
  })
  const said = notes.map(({ place, message }) => `${place}: ${message}`).join('\n')
  for (const part of [
    'Question sign: Questions of the type signaturepad',
    'Question strange: The rule for showing it, “age({staff}) > 1” was not imported',
    'Question sites: The column photo of the type file',
    'Survey: Triggers',
    'company name is now company_name',
    '__proto__ is now q_proto__',
  ]) {
    expect(said).toContain(part)
  }
  expect(checkQuestionnaire({ draft, scoring }).isPublishable).toBe(true)
})

test('a survey with thousands of elements, or nested without end, is refused', () => {
  const many = Array.from({ length: 3_001 }, (_, at) => ({ type: 'text', name: `q${at}` }))
  expect(() => readSurveyJs({ pages: [{ elements: many }] }, 'file')).toThrow('at most 3000 elements')
  let deep: unknown = { type: 'text', name: 'q' }
  for (let at = 0; at < 30; at += 1) deep = { type: 'panel', name: `p${at}`, elements: [deep] }
  expect(() => readSurveyJs({ pages: [{ elements: [deep] }] }, 'file')).toThrow('nested too deeply')
  expect(() => readSurveyJs({ pages: [{ elements: many.slice(0, 600) }] }, 'file')).toThrow(
    'At most 500 questions.',
  )
})

const form = (lines: readonly (readonly string[])[], choices: readonly (readonly string[])[] = []) => [
  { name: 'survey', lines },
  {
    name: 'choices',
    lines: [['list_name', 'name', 'label::English (en)', 'label::Español (es)'], ...choices],
  },
]
const HEAD = [
  'type',
  'name',
  'label::English (en)',
  'label::Español (es)',
  'relevant',
  'constraint',
  'required',
  'calculation',
]

test('an XLSForm keeps groups, repeats, lists and rules, and names the lines of the rest', () => {
  const { draft, scoring, notes } = readXlsForm(
    form(
      [
        HEAD,
        ['start', 'start'],
        ['begin_group', 'site', 'Site', 'Sitio'],
        ['select_one yes_no', 'open', 'Open?', '¿Abierto?', '', '', 'yes'],
        ['integer', 'staff', 'Employees', 'Empleados', "${open} = 'yes'", '. >= 1 and . <= 500'],
        ['geopoint', 'where', 'Where?'],
        ['begin_repeat', 'tanks', 'Tanks', 'Tanques'],
        ['text', 'kind', 'Kind', 'Tipo'],
        ['decimal', 'size', 'Size', 'Tamaño'],
        ['image', 'photo', 'Photo'],
        ['end_repeat'],
        ['end_group'],
        ['calculate', 'double', '', '', '', '', '', '${staff} * 2'],
        ['text', 'mail', 'Email', '', '', "regex(., '@')"],
      ],
      [
        ['yes_no', 'yes', 'Yes', 'Sí'],
        ['yes_no', 'no', 'No', 'No'],
      ],
    ),
    'Form',
  )
  expect(draft.languages).toEqual(['en', 'es'])
  expect(draft.sections.map(({ title }) => title['en'])).toEqual(['Site', 'Part 2'])
  const questions = draft.sections.flatMap((section) => section.questions)
  expect(questions.map(({ code, type }) => [code, type])).toEqual([
    ['open', 'single'],
    ['staff', 'number'],
    ['tanks', 'table'],
    ['double', 'computed'],
    ['mail', 'text'],
  ])
  expect(questions[1]).toMatchObject({
    visibleIf: 'open == "yes"',
    check: 'staff >= 1 && staff <= 500',
    decimals: 0,
  })
  expect(questions[3]).toMatchObject({ calculate: 'staff * 2' })
  const said = notes.map(({ place, message }) => `${place}: ${message}`).join('\n')
  expect(said).toContain('survey, line 2: “start” is recorded by devices')
  expect(said).toContain('survey, line 6: Questions of the type geopoint')
  expect(said).toContain("survey, line 10: A question of the type image can't be a column")
  expect(said).toContain("survey, line 14: The check “regex(., '@')” was not imported")
  expect(checkQuestionnaire({ draft, scoring }).isPublishable).toBe(true)
})

test.for<[string, readonly (readonly string[])[], string]>([
  [
    'a group that never ends',
    [HEAD, ['begin group', 'a', 'A'], ['text', 'q', 'Q']],
    'Sheet “survey”, line 2: this group never ends.',
  ],
  ['an end without a beginning', [HEAD, ['end repeat']], 'Sheet “survey”, line 2: this ends a repeat'],
  [
    'a sheet without names',
    [['kind', 'label']],
    'Sheet “survey”, line 1: the columns “type” and “name” are missing.',
  ],
])('%s is refused with sheet and line', ([, lines, sentence]) => {
  expect(() => readXlsForm(form(lines), 'Form')).toThrow(sentence)
})

const again = <T>(count: number, of: T): T[] => Array.from({ length: count }, () => of)
const survey = (...elements: object[]) => readSurveyJs({ pages: [{ elements }] }, 'file')
const sheetsOf = (questions: string[][], choices: string[][] = []) => [
  { name: 'survey', lines: [['type', 'name', 'relevant'], ...questions] },
  { name: 'choices', lines: [['list_name', 'name'], ...choices] },
]
/** Each kept the server busy for minutes, or ended in a stack overflow. */
test.for<[string, () => unknown, RegExp]>([
  ['a title of "<"', () => survey({ name: 'a', title: '<'.repeat(200_000) }), /A text was cut/],
  [
    'rows of the same name',
    () => survey({ type: 'matrix', name: 'a', columns: [1], rows: again(20_000, 'x') }),
    /^Question a/,
  ],
  [
    'columns of the same name',
    () => survey({ type: 'matrixdynamic', name: 'a', columns: again(20_000, { name: 'x' }) }),
    /^Question a/,
  ],
  [
    'a rule of "!"',
    () => survey({ name: 'a', visibleIf: `${'!'.repeat(100_000)}{a}` }, { name: 'b', visibleIf: '!{a}' }),
    /too long/,
  ],
  [
    'a rule with many signs',
    () => survey({ name: 'a', inputType: 'number' }, { name: 'b', visibleIf: `${'!'.repeat(5_000)}{a} > 1` }),
    /nested too deeply/,
  ],
  [
    'a calculation with many signs',
    () =>
      survey(
        { name: 'a', inputType: 'number' },
        {
          type: 'expression',
          name: 'b',
          expression: `${'-'.repeat(5_000)}{a}`,
        },
      ),
    /nested too deeply/,
  ],
  [
    'questions of the same name',
    () => readXlsForm(sheetsOf(again(20_000, ['text', 'x', ''])), 'file'),
    /most 500|500 questions|Section 1/,
  ],
  [
    'choices of one list',
    () =>
      readXlsForm(
        sheetsOf(
          [['select_one a', 'x', '']],
          Array.from({ length: 20_000 }, (_, at) => ['a', `c${at}`]),
        ),
        'file',
      ),
    /^Question x/,
  ],
])('%s ends soon, with a reason', ([, make, reason]) => {
  expect(resultOf(make)).toMatch(reason)
})

/** What was read, or why nothing was. */
function resultOf(make: () => unknown): string {
  try {
    return JSON.stringify(make())
  } catch (error) {
    if (error instanceof ImportFault) return error.message
    throw error
  }
}
