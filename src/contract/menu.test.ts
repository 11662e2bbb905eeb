import { expect, test } from 'vitest'
import { menuFor } from './menu.ts'

const dashboard = { func: 1, opr: 1 }
const lots = { func: 8, opr: 1 }
const idsOf = (permissions: readonly { func: number; opr: number }[]) =>
  menuFor({ isSuper: false, permissions }).map(({ id, children }) => [
    id,
    ...children.map((child) => child.id),
  ])

test.for([
  [[], []],
  [[dashboard], [['dashboard']]],
  [[lots], [['customers', 'lots']]],
  [
    [dashboard, lots],
    [['dashboard'], ['customers', 'lots']],
  ],
  // Permission to read or update lots does not include their list.
  [
    [
      { func: 8, opr: 2 },
      { func: 8, opr: 4 },
    ],
    [],
  ],
] as const)('with the permissions %j, the menu is %j', ([permissions, ids]) => {
  expect(idsOf(permissions)).toEqual(ids)
})

test('a super user sees every entry without any permission', () => {
  const titles = menuFor({ isSuper: true, permissions: [] }).map(({ title }) => title)
  expect(titles).toEqual([
    'Dashboard',
    'Platform',
    'Customers',
    'Inventory',
    'Forms and campaigns',
    'Sustainability',
    'Administration',
  ])
})

test('every item opens a page of the product, has an icon, and has every field of the specification', () => {
  const items = menuFor({ isSuper: true, permissions: [] }).flatMap((one) => [one, ...one.children])
  const wrong = items.filter(
    ({ type, url, icon }) => type === 'item' && (!url?.startsWith('/') || icon === null),
  )
  expect(wrong).toEqual([])
  expect(items.map((item) => Object.keys(item).toSorted().join())).toEqual(
    items.map(() => 'badge,children,classes,external,hidden,icon,id,target,title,type,url'),
  )
})

test('a badge is shown on its own entry only', () => {
  const badge = { title: '3', type: 'bad' } as const
  const items = menuFor({ isSuper: true, permissions: [] }, { outbox: badge, nowhere: badge })
  const badged = items.flatMap((one) => [one, ...one.children]).filter((one) => one.badge !== null)
  expect(badged.map((one) => [one.id, one.badge])).toEqual([['outbox', badge]])
})
