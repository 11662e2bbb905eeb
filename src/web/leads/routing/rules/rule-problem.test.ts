import { expect, test } from 'vitest'
import { destinationOf, ruleOf } from '../example-rules.ts'
import { findRuleProblems } from './rule-problem.ts'

const ana = destinationOf()
const luis = destinationOf({ id: '12', name: 'Luis Ortega' })
const to = (...ids: string[]) => ids.map((destinationId) => ({ destinationId, weight: 1 }))
const last = ruleOf({ id: '9', name: 'All other leads', isCatchAll: true, targets: to('11') })

test('a rule that an earlier one hides is moved before it', () => {
  const all = ruleOf({ id: '1', name: 'All Ford', makes: ['Ford'], targets: to('11') })
  const used = ruleOf({ id: '2', name: 'Ford used', makes: ['Ford'], leadTypes: ['used'], targets: to('12') })
  expect(findRuleProblems([all, used, last], [ana, luis])).toEqual(
    new Map([
      [
        '2',
        {
          tone: 'bad',
          text: 'Never reached: All Ford takes all of its leads.',
          fix: { kind: 'move', beforeId: '1', beforeName: 'All Ford' },
        },
      ],
    ]),
  )
  expect(findRuleProblems([used, all, last], [ana, luis]).size).toBe(0)
})

test('a rule whose destinations are paused offers to resume one', () => {
  const paused = { ...luis, isActive: false }
  const rule = ruleOf({ id: '1', targets: to('12') })
  expect(findRuleProblems([rule, last], [ana, paused]).get('1')).toEqual({
    tone: 'warn',
    text: 'Luis Ortega is paused. The next rule gets its leads.',
    fix: { kind: 'resume', destination: paused },
  })
  const both = ruleOf({ id: '1', targets: to('11', '12') })
  const off = { ...ana, isActive: false }
  expect(findRuleProblems([both, last], [off, paused]).get('1')?.text).toBe(
    'All destinations are paused. The next rule gets its leads.',
  )
})

test('a paused destination beside an active one is no problem', () => {
  const rule = ruleOf({ id: '1', makes: ['Ford'], targets: to('11', '12') })
  expect(findRuleProblems([rule, last], [ana, { ...luis, isActive: false }]).size).toBe(0)
})

test('a stopped destination is opened, because it has to be fixed first', () => {
  const stopped = { ...luis, stoppedAt: '2026-11-17T00:00:00Z' }
  const rule = ruleOf({ id: '1', targets: to('12') })
  expect(findRuleProblems([rule, last], [ana, stopped]).get('1')).toMatchObject({
    text: 'Luis Ortega is stopped after failures. The next rule gets its leads.',
    fix: { kind: 'open destination', destination: { id: '12' } },
  })
})

test('the last rule without a destination says that leads wait in the inbox', () => {
  expect(findRuleProblems([{ ...last, targets: [] }], [ana]).get('9')).toEqual({
    tone: 'bad',
    text: 'No destination. Leads wait unassigned in the inbox.',
    fix: { kind: 'edit' },
  })
})
