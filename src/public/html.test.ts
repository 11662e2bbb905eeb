import { expect, test } from 'vitest'
import { flag, html, jsonLd, trusted } from './html.ts'

test('values are escaped, in content and in attributes', () => {
  const evil = `"><script>alert('x')</script>&`
  expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</p>',
  )
})

test('nested templates are not escaped again, lists are joined, and nothing is left of null and false', () => {
  const items = ['a', '<b>'].map((name) => html`<li>${name}</li>`)
  const inner = html`${items}${null}${false}${undefined}${0}`
  expect(inner.text).toBe('<li>a</li><li>&lt;b&gt;</li>0')
})

test('trusted HTML stays as it is, and a flag is an attribute or nothing', () => {
  expect(html`<div${flag('hidden', true)}${flag('inert', false)}>${trusted('<b>x</b>')}</div>`.text).toBe(
    '<div hidden><b>x</b></div>',
  )
})

test('data for search engines cannot end its element', () => {
  expect(jsonLd({ name: '</script><script>alert(1)</script>' }).text).not.toContain('</script><script>')
})
