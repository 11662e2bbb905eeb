import { expect, test } from 'vitest'
import { embedCodes } from './embed-codes.ts'

test('the name of a form cannot end an attribute', () => {
  const codes = embedCodes({
    origin: 'https://cars.example',
    key: 'ask',
    name: 'A "fast" <b>form</b> & more',
  })
  for (const { code } of codes) {
    expect(code).toContain('="A &quot;fast&quot; &lt;b>form&lt;/b> &amp; more"')
  }
  expect(codes[0]?.code).toContain('src="https://cars.example/embed.js" data-form="ask"')
})
