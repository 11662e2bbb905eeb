import { expect, test } from 'vitest'
import { insertElement, pictureElement } from './insert-picture.ts'

const LAYOUT = `<mjml>
  <mj-body>
    <mj-section>
      <mj-column padding="0">
        <mj-text>Hello<br>there</mj-text>
        <mj-divider />
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`
const at = (words: string) => LAYOUT.indexOf(words)

test('builds the element from the path, with alt text from the file name', () => {
  expect(
    pictureElement({ path: 'Summer sale/Hero "wide" {{ x }}.png', name: 'Hero "wide" {{ x }}.png' }),
  ).toBe(
    '<mj-image src="media:Summer%20sale/Hero%20%22wide%22%20%7B%7B%20x%20%7D%7D.png" alt="Hero wide x" />',
  )
})

test('inserts at the cursor inside a column', () => {
  expect(insertElement(LAYOUT, at('<mj-divider'), '<x />')).toContain(
    '</mj-text>\n        <x />\n        <mj-divider />',
  )
  expect(insertElement(LAYOUT, at('</mj-text>') + '</mj-text>'.length, '<x />')).toContain(
    'there</mj-text>\n        <x />\n        <mj-divider />',
  )
})

test.for(['<mjml>', '<mj-section', 'Hello', 'there', 'padding="0"', '</mjml>'])(
  'inserts at the start of the first column when the cursor is at %s',
  (words) => {
    expect(insertElement(LAYOUT, at(words), '<x />')).toContain(
      '<mj-column padding="0">\n        <x />\n        <mj-text>',
    )
  },
)

test('returns null for a layout without a column', () => {
  expect(insertElement('<mjml></mjml>', 3, '<x />')).toBeNull()
})
