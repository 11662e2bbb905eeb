import { expect, test } from 'vitest'
import type { MenuItem } from '#contract/identity/auth.ts'
import { activeEntry, entriesOf, holdsEntry, withoutHidden } from './menu.ts'

const item = (id: string, more: Partial<MenuItem> = {}): MenuItem => ({
  id,
  title: id,
  type: 'item',
  url: `/${id}`,
  icon: null,
  classes: null,
  hidden: false,
  external: false,
  target: null,
  badge: null,
  children: [],
  ...more,
})
const around = (type: 'group' | 'collapse', id: string, children: MenuItem[]) =>
  item(id, { type, url: null, children })

test('hidden entries and empty groups are not shown', () => {
  const menu = [
    around('group', 'group', [item('secret', { hidden: true })]),
    around('group', 'customers', [item('lots'), item('users', { hidden: true })]),
  ]
  expect(withoutHidden(menu)).toMatchObject([{ id: 'customers', children: [{ id: 'lots' }] }])
})

test('an entry is active on its page and the pages below it', () => {
  const menu = [around('collapse', 'section', [item('lots')])]
  expect(activeEntry(menu, '/lots')).toBe('lots')
  expect(activeEntry(menu, '/lots/7')).toBe('lots')
  expect(activeEntry(menu, '/lots-of-others')).toBe(null)
})

test('of several matching entries only the one with the longest path is active', () => {
  const menu = [
    around('group', 'platform', [
      item('all', { url: '/customers' }),
      item('people', { url: '/customers/people' }),
    ]),
    around('group', 'customers', [item('lots', { url: '/customers/lots?size=50' })]),
  ]
  expect(activeEntry(menu, '/customers')).toBe('all')
  expect(activeEntry(menu, '/customers/people/7')).toBe('people')
  expect(activeEntry(menu, '/customers/lots')).toBe('lots')
  expect(activeEntry(menu, '/customers/details')).toBe('all')
})

test('an external link is never active', () => {
  expect(activeEntry([item('help', { url: '/help', external: true })], '/help')).toBe(null)
})

test('groups and sections know their entries', () => {
  const menu = [around('group', 'group', [around('collapse', 'section', [item('lots')])]), item('home')]
  expect(entriesOf(menu).map(({ id }) => id)).toEqual(['lots', 'home'])
  expect(menu.map((one) => holdsEntry(one, 'lots'))).toEqual([true, false])
})
