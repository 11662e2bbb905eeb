import type { ComponentProps, ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { users } from '#contract/identity/users/users.ts'
import type { Load } from './Loaded.tsx'
import { Timeline, type TimelineEntry } from './Timeline.tsx'

const load = (data: TimelineEntry[] | undefined): Load<TimelineEntry[]> => ({
  endpoint: users.activity,
  data,
  error: null,
  retry: () => undefined,
})
type Props = ComponentProps<typeof Timeline<TimelineEntry[]>>
const html = (data: TimelineEntry[] | undefined, props: Partial<Props> = {}): string => {
  const timeline: ReactElement = (
    <Timeline
      query={load(data)}
      what="the activity"
      title="Activity"
      entries={(entries) => entries}
      empty={<p>No activity yet</p>}
      {...props}
    />
  )
  return renderToStaticMarkup(timeline)
}
/** What a user reads, without markup. */
const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
const ENTRY: TimelineEntry = { what: 'Changed price', by: 'Ana', at: '2026-11-18T14:00:00Z', time: 'Nov 18' }

test('an entry says what happened, who did it and when', () => {
  const markup = html([ENTRY])
  expect(textOf(markup)).toBe('Changed price Ana , Nov 18')
  expect(markup).toContain('aria-label="Activity"')
  expect(markup).toMatch(/<time dateTime="2026-11-18T14:00:00Z" title="[^"]*2026[^"]*">Nov 18<\/time>/)
})

test('without a person, only the time is shown', () => {
  expect(textOf(html([{ ...ENTRY, by: null }]))).toBe('Changed price Nov 18')
  expect(textOf(html([{ ...ENTRY, by: '' }]))).toBe('Changed price Nov 18')
})

test('a change shows both values, or the new one of something that was added', () => {
  const changes = [
    { field: 'Price', before: '$10', after: null },
    { field: 'Name', after: 'Sale' },
  ]
  expect(textOf(html([{ ...ENTRY, changes }]))).toBe(
    'Changed price Ana , Nov 18 Price $10 → to none Name Sale',
  )
})

test('the skeleton is announced, with the frame of the screen or as a part of it', () => {
  expect(textOf(html(undefined))).toBe('Loading the activity')
  expect(html(undefined)).toMatch(/^<div class="fc-timeline-part">/)
  expect(html(undefined, { className: 'fc-user-body' })).toMatch(/^<div class="fc-user-body">/)
})

test('a note is shown below the entries, and also when there are none', () => {
  const note = () => <p>Older ones are in the audit log.</p>
  expect(textOf(html([ENTRY], { note }))).toContain('Older ones are in the audit log.')
  expect(textOf(html([], { note }))).toBe('No activity yet Older ones are in the audit log.')
})
