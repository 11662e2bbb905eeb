import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DocumentVersions, type ShownVersion } from './DocumentVersions.tsx'

const version = (number: number, more: Partial<ShownVersion> = {}): ShownVersion => ({
  number,
  publishedAt: '2026-11-25T10:00:00Z',
  publishedBy: 'Dana',
  summary: '5 questions.',
  ...more,
})
const show = (versions: readonly ShownVersion[], comparison?: string) =>
  renderToStaticMarkup(
    <MantineProvider>
      <DocumentVersions
        versions={versions}
        empty="Publish to keep a version."
        texts={{ same: 'Only contact details changed.', restore: 'Edit these questions' }}
        {...(comparison !== undefined && { comparison })}
      />
    </MantineProvider>,
  )

test('before the first publication, the list says what versions are for', () => {
  expect(show([])).toContain('Publish to keep a version.')
})

test('only a version that differs from the draft can be restored', () => {
  const html = show([version(2, { onRestore: null }), version(1, { onRestore: () => undefined })])
  expect(html.match(/Edit these questions/g)).toHaveLength(1)
  expect(html).toContain('of version 1')
})

test('a version says how it was made, and what it consists of', () => {
  const html = renderToStaticMarkup(
    <MantineProvider>
      <DocumentVersions
        versions={[version(1, { more: 'Two blocks' })]}
        empty=""
        texts={{ same: '', done: 'Saved' }}
        isInForm
      />
    </MantineProvider>,
  )
  expect(html).toContain('Saved Nov 25')
  expect(html).toContain('Two blocks')
})

test('a version lists twelve changes and counts the others, and says if none can be seen', () => {
  const changes = Array.from({ length: 14 }, (_, at) => `Change ${at + 1}.`)
  const html = show([version(3, { changes }), version(2, { changes: [] }), version(1)])
  expect(html).toContain('Change 12.')
  expect(html).not.toContain('Change 13.')
  expect(html).toContain('And 2 other changes.')
  expect(html.match(/Only contact details changed/g)).toHaveLength(1)
})

test('below a comparison, versions are listed without their changes', () => {
  const html = show([version(1, { changes: ['Change 1.'], onRestore: () => undefined })], 'What changed')
  expect(html).toContain('of version 1')
  expect(html).toContain('What changed')
  expect(html).toContain('by Dana')
  expect(html).not.toContain('Change 1.')
})
