import { expect, test } from 'vitest'
import type { MenuItem } from '#contract/identity/auth.ts'
import { findResults, pagesOf, type Result } from './results.ts'

const result = (title: string, more: Partial<Result> = {}): Result => ({
  id: title,
  title,
  about: '',
  icon: '',
  leads: { to: '/' },
  ...more,
})
const titles = (found: readonly Result[]) => found.map(({ title }) => title)
const blank = { icon: null, classes: null, hidden: false, target: null, badge: null, children: [] }

test('the best match is first: prefix, then start of a word, then anywhere', () => {
  const all = [result('Ballots'), result('Add lot'), result('Lots'), result('Users')]
  expect(titles(findResults(all, 'lot'))).toEqual(['Lots', 'Add lot', 'Ballots'])
})

test('every word must match, ignoring case and accents', () => {
  const all = [result('Íñigo Rivera', { about: 'northgate.inigo' }), result('Ana Rivera')]
  expect(titles(findResults(all, 'RIVERA inigo'))).toEqual(['Íñigo Rivera'])
})

test('an empty search finds nothing', () => {
  expect(findResults([result('Lots')], ' ')).toEqual([])
})

test('pages have the name of their group, and external links are left out', () => {
  const menu: MenuItem[] = [
    { ...blank, id: 'home', title: 'Dashboard', type: 'item', url: '/dashboard', external: false },
    {
      ...blank,
      id: 'customers',
      title: 'Customers',
      type: 'group',
      url: null,
      external: false,
      children: [
        { ...blank, id: 'lots', title: 'Lots', type: 'item', url: '/customers/lots', external: false },
        { ...blank, id: 'help', title: 'Help', type: 'item', url: 'https://example.com', external: true },
      ],
    },
  ]
  expect(pagesOf(menu).map(({ title, about }) => [title, about])).toEqual([
    ['Dashboard', ''],
    ['Lots', 'Customers'],
  ])
})
