import { FUNCTION_GROUPS } from './permission-groups.ts'
import { expect, test } from 'vitest'
import { can, Func, holds, isDeclared, isPlatformOnly, Opr } from './permissions.ts'
import { describe, functionTitle, RESERVED_FUNCTIONS } from './permission-text.ts'

const all = Object.values(Func)

test('function numbers are unique and have no gaps, together with the reserved ones', () => {
  const numbers = [...all.map(({ func }) => func), ...Object.keys(RESERVED_FUNCTIONS).map(Number)]
  expect(numbers.toSorted((one, other) => one - other)).toEqual(numbers.map((_, at) => at + 1))
})

// Specification section 6: these five are fixed.
test.for([
  ['organizationWizard', 6],
  ['carbonStart', 11],
  ['carbonFacility', 15],
  ['carbonEmission', 19],
  ['carbonInsights', 20],
] as const)('the function %s keeps the number %i of the specification', ([name, func]) => {
  expect(Func[name].func).toBe(func)
})

test('operation 3 is the create level of the specification', () => {
  expect(Opr.create).toBe(3)
})

test('every function has at least one operation, in order', () => {
  const ordered = all.map(({ operations }) => operations.toSorted((one, other) => one - other))
  expect(all.map(({ operations }) => [...operations])).toEqual(ordered)
  expect(ordered.filter(({ length }) => length === 0)).toEqual([])
})

test.for([
  [{ isSuper: false, permissions: [{ func: 8, opr: 3 }] }, true],
  [
    {
      isSuper: false,
      permissions: [
        { func: 8, opr: 1 },
        { func: 3, opr: 3 },
      ],
    },
    false,
  ],
  [{ isSuper: false, permissions: [] }, false],
  [{ isSuper: true, permissions: [] }, true],
] as const)('%j holds "lots, create": %s', ([held, answer]) => {
  expect(holds(held, can(Func.lots, Opr.create))).toBe(answer)
})

test.for([
  [can(Func.lots, Opr.create), 'Lots, create (8, 3)'],
  [{ func: 14, opr: 1 }, 'Targets, list (14, 1)'],
  [{ func: 999, opr: 3 }, 'Unknown function, create (999, 3)'],
  [{ func: 8, opr: 99 }, 'Lots, unknown (8, 99)'],
] as const)('%j is described as "%s"', ([permission, words]) => {
  expect(describe(permission)).toBe(words)
})

test('every function is in exactly one group', () => {
  const grouped = FUNCTION_GROUPS.flatMap(({ names }) => names)
  expect(grouped.toSorted()).toEqual(Object.keys(Func).toSorted())
})

test('only the function for customers is limited to the platform', () => {
  expect(all.flatMap(({ func }) => (isPlatformOnly(func) ? [functionTitle(func)] : []))).toEqual([
    'All customers',
  ])
})

test.for([
  [8, 3, true],
  [8, 7, false],
  [1, 3, false],
  [14, 1, false],
  [999, 1, false],
] as const)('function %i has operation %i: %s', ([func, opr, answer]) => {
  expect(isDeclared({ func, opr })).toBe(answer)
})
