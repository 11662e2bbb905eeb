import { MantineProvider } from '@mantine/core'
import type { ComponentProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { TrialResult } from './RuleTrial.tsx'

vi.mock('#web/ui/controls/Link.tsx', () => ({
  Link: ({ children }: { children: string }) => <a href="/">{children}</a>,
}))

type Result = ComponentProps<typeof TrialResult>['result']
const RESULT: Result = {
  leads: 200,
  since: null,
  matched: 61,
  moved: 0,
  destinations: [],
  examples: [],
  warning: null,
}

/** What a user reads, without markup. */
const textOf = (changes: Partial<Result>) =>
  renderToStaticMarkup(
    <MantineProvider>
      <TrialResult result={{ ...RESULT, ...changes }} />
    </MantineProvider>,
  )
    .replaceAll(/<style.*?<\/style>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('without leads there is nothing to try', () => {
  expect(textOf({ leads: 0 })).toContain('There are no leads to test it with yet.')
})

test('says how many leads would go elsewhere, and how many the rule would send', () => {
  expect(textOf({})).toContain('No lead of 200 would go elsewhere. This rule would send 61 leads.')
  expect(textOf({ moved: 1, matched: 1 })).toContain(
    '1 lead of 200 would go elsewhere. This rule would send 1 lead.',
  )
  expect(textOf({ matched: null })).not.toContain('This rule would send')
})

test('lists destinations with a true minus sign, and each lead with where it goes now and then', () => {
  const text = textOf({
    moved: 12,
    destinations: [
      { destinationId: '1', name: 'Eleads', before: 8, after: 10 },
      { destinationId: '2', name: 'Inbox', before: 8, after: 6 },
    ],
    examples: [
      {
        leadId: '1',
        name: 'Marcus Bell',
        receivedAt: '2026-11-17T18:02:00Z',
        before: [],
        after: ['Eleads', 'Ana'],
      },
    ],
  })
  expect(text).toContain('Eleads 8 10 +2')
  expect(text).toContain('Inbox 8 6 \u22122')
  expect(text).toContain('Latest 1 of 12')
  expect(text).toContain('Unassigned in the inbox → Eleads, Ana')
})

test('warns when the rule would never be reached', () => {
  expect(textOf({ warning: 'Never reached: All Ford takes all of its leads.' })).toContain(
    'Never reached: All Ford',
  )
})
