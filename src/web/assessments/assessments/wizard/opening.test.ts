import { expect, test } from 'vitest'
import type { TargetPerson } from '#contract/assessments/assessments/targets.ts'
import { countPeople, describeEmails } from './opening.ts'

const person = (more: Partial<TargetPerson>): TargetPerson => ({
  id: '1',
  role: 'owner',
  userId: null,
  participantId: null,
  name: 'Ana Souza',
  email: 'ana@dealer.example',
  isDelegate: false,
  ...more,
})

test('every person without an account gets one invitation for each target, and users are counted once', () => {
  const targets = [
    { people: [person({ userId: '1' }), person({ participantId: '7', role: 'contributor' })] },
    {
      people: [
        person({ userId: '1' }),
        person({ participantId: '7' }),
        person({ userId: '2', role: 'reviewer' }),
      ],
    },
  ]
  expect(countPeople(targets)).toEqual({ invitations: 2, users: 1 })
})

test('the emails are described in sentences', () => {
  expect(describeEmails({ invitations: 0, users: 0 })).toBe('No invitations are emailed.')
  expect(describeEmails({ invitations: 1, users: 2 })).toBe(
    '1 invitation is emailed. 2 people have an account and find the assessment in Forecourt.',
  )
})
