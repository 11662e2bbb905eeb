import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type Fact, FactList, Facts } from './Facts.tsx'

const FACTS: Fact[] = [
  ['Lead', 'Marcus Bell'],
  ['Phone', null],
  ['Email', ''],
  ['Comment', undefined],
  ['Sent again', false],
  ['Messages', 0, 'so far'],
]

test('facts without a value are left out, but not zero', () => {
  expect(renderToStaticMarkup(<FactList facts={FACTS} />)).toBe(
    '<dl class="fc-fact-list">' +
      '<div><dt><bdi>Lead</bdi></dt><dd><bdi>Marcus Bell</bdi></dd></div>' +
      '<div><dt><bdi>Messages</bdi><span class="fc-second">so far</span></dt><dd><bdi>0</bdi></dd></div>' +
      '</dl>',
  )
})

test('a part has a heading, unless it has nothing to show', () => {
  expect(renderToStaticMarkup(<Facts title="Person" facts={FACTS} />)).toMatch(
    /^<section class="fc-facts" aria-label="Person">.*<h3>Person<\/h3>/,
  )
  expect(renderToStaticMarkup(<Facts title="Person" facts={[['Phone', null]]} />)).toBe('')
  expect(
    renderToStaticMarkup(
      <Facts title="Vehicle" facts={[]}>
        <img alt="" />
      </Facts>,
    ),
  ).toContain('<img')
})
