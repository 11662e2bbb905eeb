import { expect, test } from 'vitest'
import { compareDefinitions, consentsWithoutNewVersion } from './changes.ts'
import { Definition } from './definition.ts'

const en = (text: string) => ({ en: text })
const choice = (value: string, title = value) => ({ value, title: en(title) })
const consent = {
  type: 'consent',
  code: 'calls',
  title: en('Calls'),
  text: en('You may call me.'),
  version: 1,
  purpose: 'inquiry',
  channels: ['call', 'text'],
}

const define = (sections: Record<string, readonly object[]>, languages = ['en']) =>
  Definition.parse({
    languages,
    sections: Object.entries(sections).map(([id, questions]) => ({ id, title: en(id), questions })),
  })

const BEFORE = define({
  you: [
    { type: 'text', code: 'name', title: en('Name') },
    { type: 'text', code: 'email', title: en('Email') },
    { type: 'number', code: 'miles', title: en('Mileage'), min: '0', unit: 'mi' },
    {
      type: 'single',
      code: 'kind',
      title: en('Kind'),
      choices: [choice('new'), choice('used'), choice('demo')],
    },
  ],
  more: [{ type: 'boolean', code: 'financing', title: en('Financing') }, consent],
})

const read = (after: Definition) =>
  compareDefinitions(BEFORE, after).map(({ effect, message }) => `${effect}: ${message}`)

test('a version has no differences from itself', () => {
  expect(read(structuredClone(BEFORE))).toEqual([])
})

test('each difference is a sentence, with what it means for answers', () => {
  const after = define(
    {
      more: [
        { ...consent, channels: ['text', 'call'], version: 2, text: en('You may call or text me.') },
        {
          type: 'single',
          code: 'kind',
          title: en('Condition'),
          choices: [choice('used', 'Pre-owned'), choice('new'), choice('certified')],
        },
      ],
      you: [
        { type: 'email', code: 'email', title: en('Email'), obligation: 'required', help: en('Work') },
        { type: 'longText', code: 'name', title: en('Name') },
        {
          type: 'number',
          code: 'miles',
          title: en('Mileage'),
          min: '10',
          unit: 'km',
          visibleIf: 'kind == "used"',
        },
        { type: 'date', code: 'visit', title: en('Visit') },
      ],
    },
    ['en', 'es'],
  )
  expect(read(after)).toEqual([
    'kept: Languages: es added.',
    'kept: Sections: reordered.',
    'review: Calls: version 2 instead of 1.',
    'kept: Condition: moved from “you” to “more”.',
    'kept: Condition: title (en) “Condition” instead of “Kind”.',
    'kept: Condition: choice “used” is now “Pre-owned”.',
    'kept: Condition: choice “certified” added.',
    'review: Condition: choice “demo” removed.',
    'kept: Condition: choices reordered.',
    'kept: Section “you”: questions reordered.',
    'review: Email: type changed from text to email address.',
    'kept: Email: help text (en) “Work” added.',
    'review: Email: required instead of voluntary.',
    'kept: Name: type changed from text to long text.',
    'kept: Mileage: shown if kind == "used".',
    'review: Mileage: unit km instead of mi.',
    'review: Mileage: minimum 10 instead of 0.',
    'kept: Visit: added.',
    'unused: Financing: removed.',
  ])
})

test('a consent needs a new version when its text, purpose or channels change', () => {
  const withConsent = (changed: object) => define({ more: [{ ...consent, ...changed }] })
  const codes = (changed: object) => consentsWithoutNewVersion(BEFORE, withConsent(changed))
  expect(codes({})).toEqual([])
  expect(codes({ channels: ['text', 'call'] })).toEqual([])
  expect(codes({ text: en('You may email me.') })).toEqual(['calls'])
  expect(codes({ text: en('You may email me.'), version: 2 })).toEqual([])
  expect(codes({ purpose: 'marketing' })).toEqual(['calls'])
  expect(codes({ channels: ['call'] })).toEqual(['calls'])
  expect(read(withConsent({ text: en('You may email me.') }))).toContain(
    'kept: Calls: text, without a new version (en) “You may email me.” instead of “You may call me.”.',
  )
})
