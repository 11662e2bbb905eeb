import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { DEFAULT_LOOK } from '#contract/appearance/looks.ts'
import type { Appearance } from '#contract/identity/branding/appearance.ts'

const SCRIPT = readFileSync(join(import.meta.dirname, '../../public/first-paint.js'), 'utf8')

/** The attributes of the root element after the script ran with this stored text. */
function paint(stored: string | null): Record<string, string> {
  const attributes: Record<string, string> = {}
  const documentElement = {
    style: {},
    setAttribute: (name: string, value: string) => void (attributes[name] = value),
    toggleAttribute: (name: string, isSet: boolean) => void (isSet && (attributes[name] = '')),
  }
  runInNewContext(SCRIPT, {
    document: { documentElement },
    localStorage: { getItem: (key: string) => (key === 'appearance' ? stored : null) },
    matchMedia: () => ({ matches: true }),
  })
  return attributes
}

test('the first paint has every part of the stored appearance', () => {
  const chosen: Appearance = {
    scheme: 'light',
    direction: 'rtl',
    layout: 'horizontal',
    headerColor: 'ink',
    isBoxed: true,
    isMenuFixed: false,
    isHeaderFixed: false,
    isMenuCollapsed: true,
  }
  // Otherwise a part that isn't read could not be noticed.
  for (const [name, value] of Object.entries(DEFAULT_LOOK)) expect(chosen).not.toHaveProperty(name, value)
  expect(paint(JSON.stringify(chosen))).toEqual({
    'data-mantine-color-scheme': 'light',
    dir: 'rtl',
    'data-layout': 'horizontal',
    'data-header': 'ink',
    'data-boxed': '',
    'data-loose-menu': '',
    'data-loose-header': '',
    'data-collapsed': '',
  })
})

test.for([null, 'nonsense', '[]', '7'])(
  'follows the system without a valid stored appearance: %s',
  (stored) => {
    expect(paint(stored)).toEqual({ 'data-mantine-color-scheme': 'dark' })
  },
)
