import { expect, test } from 'vitest'
import type { MenuItem } from '#contract/identity/auth.ts'
import { isHere, withoutHidden } from './menu.ts'

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

test('hidden entries do not show, nor do groups that have nothing left', () => {
  const menu = [
    item('group', { type: 'group', url: null, children: [item('secret', { hidden: true })] }),
    item('customers', {
      type: 'group',
      url: null,
      children: [item('lots'), item('users', { hidden: true })],
    }),
  ]
  expect(withoutHidden(menu)).toMatchObject([{ id: 'customers', children: [{ id: 'lots' }] }])
})

test('an entry is where its page or a page below it is open', () => {
  const section = item('section', { type: 'collapse', url: null, children: [item('lots')] })
  expect(isHere(section, '/lots/7')).toBe(true)
  expect(isHere(section, '/lots-of-others')).toBe(false)
})
