import { expect, test } from 'vitest'
import { destinationOf } from '../routing/example-rules.ts'
import { destinationForm } from './destination-form.ts'

const values = (changes: Partial<typeof destinationForm.blank> = {}) => ({
  ...destinationForm.blank,
  name: 'CRM',
  ...changes,
})

test('a destination is the same after a round trip through the form', () => {
  const saved = destinationOf({ kind: 'adf', toEmail: 'leads@crm.example', dailyCap: 1_200 })
  expect({ ...saved, ...destinationForm.toInput(destinationForm.toValues(saved)) }).toEqual(saved)
})

test.each([
  [{ kind: 'adf' as const }, { toEmail: 'Email address is required.' }],
  [{ kind: 'email' as const, toEmail: 'no address' }, { toEmail: 'Enter a valid email address.' }],
  [{ kind: 'webhook' as const }, { url: 'Enter a URL.' }],
  [
    { kind: 'webhook' as const, url: 'http://crm.example' },
    { url: 'Enter a URL that starts with https:// and contains no user name.' },
  ],
  [{ kind: 'user' as const }, { userId: 'Choose a user.' }],
  [{ kind: 'team' as const }, {}],
  [{ kind: 'team' as const, dailyCap: '0' }, { dailyCap: 'Leads per day must be at least 1.' }],
  [{ kind: 'team' as const, dailyCap: 'ten' }, { dailyCap: 'Leads per day must be a number.' }],
  [{ kind: 'team' as const, dailyCap: '1,200' }, {}],
])('%o has the errors %o', (changes, errors) => {
  expect(destinationForm.check(values(changes))).toEqual(errors)
})

test('what another kind left behind is neither checked nor saved', () => {
  const changed = values({
    kind: 'webhook',
    toEmail: 'half an addr',
    userId: '7',
    url: 'https://crm.example/in',
  })
  expect(destinationForm.check(changed)).toEqual({})
  expect(destinationForm.toInput(changed)).toMatchObject({
    toEmail: null,
    userId: null,
    url: 'https://crm.example/in',
  })
})

test('weights and caps of a team are the same after a round trip, and wrong ones are told at their input', () => {
  const share = { userId: '7', weight: 3, openCap: 20, dailyCap: null }
  const saved = destinationOf({ kind: 'team', toEmail: null, memberIds: ['7'], memberShares: [share] })
  expect({ ...saved, ...destinationForm.toInput(destinationForm.toValues(saved)) }).toEqual(saved)
  const typed = { userId: '7', weight: '11', openCap: 'many', dailyCap: '' }
  const wrong = values({ kind: 'team', memberIds: ['7'], memberShares: [typed] })
  expect(destinationForm.check(wrong)).toEqual({
    'memberShares.0.weight': 'Weight can be at most 10.',
    'memberShares.0.openCap': 'Open leads must be a number.',
  })
  expect(destinationForm.toInput(values({ kind: 'adf', memberShares: [typed] })).memberShares).toEqual([])
})
