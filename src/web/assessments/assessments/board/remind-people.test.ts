import { expect, test } from 'vitest'
import type { Invitation } from '#contract/participants/invitations/participants.ts'
import { sampleInvitation, sampleTarget } from '#test/factories/assessments/sample-target.ts'
import { remindersFor } from './remind-people.ts'

const person = (
  role: 'owner' | 'contributor' | 'reviewer',
  userId: string | null,
  participantId: string | null,
) => ({
  id: `${userId}/${participantId}`,
  role,
  userId,
  participantId,
  name: userId === null ? 'Tom Becker' : 'Ana Souza',
  email: 'person@dealer.example',
  isDelegate: false,
})

const tom = (state: Invitation['state']) => sampleInvitation({ id: 'null/7', state })

test('only owners and contributors of targets that wait for answers are reminded, users once for all of them', () => {
  const people = [person('owner', '1', null), person('contributor', null, '7'), person('reviewer', '2', null)]
  const targets = [
    sampleTarget({ id: '1', people }),
    sampleTarget({ id: '2', state: 'in_progress', people: [person('owner', '1', null)] }),
    sampleTarget({ id: '3', state: 'submitted', people: [person('owner', '3', null)] }),
  ]
  expect(remindersFor(targets, [tom('sent')])).toEqual({
    users: ['1'],
    targetIds: ['1', '2'],
    links: ['null/7'],
  })
})

test("who finished, has no access anymore, or isn't shown to the user gets no link", () => {
  const targets = [sampleTarget({ people: [person('owner', null, '7')] })]
  const links = (invitations: readonly Invitation[]) => remindersFor(targets, invitations).links
  expect([links([tom('expired')]), links([tom('submitted')]), links([tom('revoked')]), links([])]).toEqual([
    ['null/7'],
    [],
    [],
    [],
  ])
})
