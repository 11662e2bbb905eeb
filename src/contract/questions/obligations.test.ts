import { expect, test } from 'vitest'
import { checkDefinition } from './check-definition.ts'
import { compareDefinitions } from './changes.ts'
import { compileDefinition } from './compile.ts'
import { Definition } from './definition.ts'
import { evaluateAnswers } from './evaluate.ts'
import { dependsOn, explainObligation, type ObligationScope, withObligations } from './obligations.ts'

const en = (text: string) => ({ en: text })
const define = (obligations: object[], more: object = {}) =>
  Definition.parse({
    languages: ['en'],
    editions: [
      { code: 'basic', title: en('Basic') },
      { code: 'full', title: en('Comprehensive') },
    ],
    sections: [
      {
        id: 'energy',
        title: en('Energy'),
        questions: [{ type: 'text', code: 'policy', title: en('Policy'), obligations, ...more }],
      },
    ],
  })
const RULES = [
  { edition: 'full', sizes: ['medium', 'large'], obligation: 'required' },
  { edition: 'full', obligation: 'ifApplicable' },
  { sizes: ['large'], obligation: 'required' },
]
const at = (definition: Definition, scope: ObligationScope) =>
  evaluateAnswers(
    compileDefinition(withObligations(definition, scope)),
    {},
    {
      language: 'en',
      now: new Date('2026-11-18T15:00:00Z'),
      zone: 'UTC',
      setAside: true,
    },
  )

test.each([
  ['basic', 'small', 'voluntary'],
  ['basic', 'large', 'required'],
  ['full', 'large', 'required'],
  ['full', 'micro', 'ifApplicable'],
  ['full', null, 'ifApplicable'],
  [null, null, 'voluntary'],
] as const)('in edition %s, an organization of size %s must answer: %s', (edition, size, expected) => {
  const definition = define(RULES)
  const scope = { edition, size }
  const [section] = withObligations(definition, scope).sections
  expect(section?.questions[0]?.obligation ?? 'voluntary').toBe(expected)
  const { progress, isValid } = at(definition, scope)
  expect([progress.required, isValid]).toEqual(expected === 'voluntary' ? [0, true] : [1, false])
})

test('an exception can free a question that is usually required', () => {
  const definition = define([{ sizes: ['micro'], obligation: 'voluntary' }], { obligation: 'required' })
  expect(at(definition, { edition: null, size: 'micro' }).isValid).toBe(true)
  expect(at(definition, { edition: null, size: null }).isValid).toBe(false)
})

test('a definition without exceptions stays the same, and needs neither an edition nor a size', () => {
  const definition = define([])
  expect(withObligations(definition, { edition: 'full', size: 'large' })).toBe(definition)
  expect(dependsOn(definition)).toEqual({ any: false, edition: false, size: false })
  expect(dependsOn(define(RULES))).toEqual({ any: true, edition: true, size: true })
})

test('exceptions that can’t apply are errors', () => {
  const messages = (obligations: object[], more?: object) =>
    checkDefinition(define(obligations, more)).faults.map(({ message }) => message)
  expect(messages(RULES)).toEqual([])
  expect(messages([{ obligation: 'required' }])).toEqual(['Choose an edition or a size for this exception.'])
  expect(messages([{ edition: 'other', obligation: 'required' }])).toEqual(['There is no edition other.'])
  const covered = 'An exception above already covers this one.'
  expect(messages([RULES[1] ?? {}, RULES[0] ?? {}])).toEqual([covered])
  expect(messages([RULES[2] ?? {}, { sizes: ['large', 'small'], obligation: 'voluntary' }])).toEqual([])
  expect(messages([RULES[2] ?? {}, { edition: 'full', obligation: 'voluntary' }])).toEqual([])
  const note = { type: 'note', text: en('Read this.') }
  expect(messages([RULES[1] ?? {}], note)).toContain('Only a question can be required by edition or size.')
})

test('another exception is a change that may leave answers open', () => {
  expect(compareDefinitions(define([]), define(RULES))).toMatchObject([
    { question: 'policy', message: 'Policy: required in other editions or sizes.', effect: 'review' },
  ])
})

test('the reason of an obligation is a sentence', () => {
  const definition = define(RULES)
  const [question] = definition.sections[0]?.questions ?? []
  const explain = (edition: string | null, size: 'small' | 'large' | null) =>
    question === undefined ? '' : explainObligation(question, { edition, size }, definition)
  expect(explain('full', 'large')).toBe(
    'Required in the Comprehensive edition for medium and large companies.',
  )
  expect(explain('full', 'small')).toBe('Required if applicable in the Comprehensive edition.')
  expect(explain('basic', 'large')).toBe('Required for large companies.')
  expect(explain('basic', 'small')).toBeNull()
})
