import { expect, test } from 'vitest'
import { messageNote, messageTitle } from './inbound-labels.ts'

const lead = { id: '1', name: 'Dana Sample', vehicleTitle: '2021 Ford Escape', isNew: true }
const received = { kind: 'adf', subject: null, fromEmail: null } as const
const plain = { state: 'received', reason: null, repeats: 0, warnings: 0 } as const

test('a message is called after its leads, otherwise after its subject or sender', () => {
  expect(messageTitle({ ...received, leads: [lead] })).toBe('Dana Sample')
  expect(messageTitle({ ...received, leads: [lead, { ...lead, id: '2' }] })).toBe('Dana Sample and 1 other')
  expect(messageTitle({ ...received, leads: [{ ...lead, name: null }] })).toBe('Unknown')
  const email = { ...received, kind: 'email', leads: [] } as const
  expect(messageTitle({ ...email, subject: 'Out of office', fromEmail: 'a@mail.example' })).toBe(
    'Out of office',
  )
  expect(messageTitle({ ...email, fromEmail: 'a@mail.example' })).toBe('a@mail.example')
  expect(messageTitle({ ...received, leads: [] })).toBe('ADF document')
})

test('the second line says why it is no lead, or what is unusual about it', () => {
  expect(messageNote({ ...plain, leads: [lead] })).toBe('2021 Ford Escape')
  expect(messageNote({ ...plain, leads: [lead], warnings: 2, repeats: 1 })).toBe(
    '2021 Ford Escape, 2 warnings, sent 2 times',
  )
  const refused = { ...plain, state: 'quarantined', leads: [] } as const
  expect(messageNote({ ...refused, reason: 'The document is empty.' })).toBe('The document is empty.')
  expect(messageNote({ ...refused, reason: 'The document is empty.', repeats: 2 })).toBe(
    'The document is empty. Sent 3 times',
  )
  expect(messageNote({ ...plain, leads: [{ ...lead, isNew: false, vehicleTitle: null }] })).toBe(
    'The provider had sent this lead before.',
  )
  expect(messageNote({ ...plain, leads: [{ ...lead, vehicleTitle: null }], warnings: 1 })).toBe('1 warning')
})
